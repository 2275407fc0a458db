# Not part of `make check`: see README.md here.
EXTRA_DIST += %D%/run.sh %D%/clients.py %D%/java/Clients.java %D%/java/pom.xml
