# Lints are tests: each prints one result line.
LINTS = \
	%D%/layers.sh \
	%D%/banned.sh \
	%D%/lengths.sh \
	%D%/headers.sh \
	%D%/readmes.sh \
	%D%/invariants.sh \
	%D%/generated.sh \
	%D%/conf_man.sh
TESTS += $(LINTS)
EXTRA_DIST += $(LINTS)
TEST_EXTENSIONS = .sh .py
SH_LOG_COMPILER = $(SHELL)
PY_LOG_COMPILER = /usr/bin/python3
AM_TESTS_ENVIRONMENT = srcdir='$(top_srcdir)' builddir='$(top_builddir)' CC='$(CC)' PYTHONDONTWRITEBYTECODE=1; export srcdir builddir CC PYTHONDONTWRITEBYTECODE;
