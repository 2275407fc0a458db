dist_man_MANS += %D%/braidd.8 %D%/braid.1 %D%/braid.conf.5 %D%/libbraid.3
EXTRA_DIST += %D%/make_conf_man.py
dist_doc_DATA += README.md ARCHITECTURE.md STYLE.md NEWS LICENSE

# braid.conf(5) is committed; this writes it anew from the table, tests/lint/conf_man.sh compares.
regen-man: braidd$(EXEEXT)
	/usr/bin/python3 $(srcdir)/%D%/make_conf_man.py ./braidd > $(srcdir)/%D%/braid.conf.5
.PHONY: regen-man
