# Everything runs in .venv, which the first target that needs it sets up.

PYTHON ?= python3
ARGS ?=

READY := .venv/.ready
RUN := .venv/bin/python -m
BENCHES := $(foreach name,latency throughput output imports cli hook mcp,$(wildcard bench/$(name).py))

.PHONY: help try test lint format grammar score requirements bench clients clean packages

help:
	@echo 'make try           set up, then see limpet run a few commands'
	@echo 'make test          set up, then run all tests (ARGS="-k word" for some)'
	@echo 'make lint          formatting, style, types, import contract'
	@echo 'make format        write the formatting that lint checks'
	@echo 'make grammar       compare our reading of scripts with that of bash and shfmt'
	@echo 'make score         what the judge says of the commands in tests/corpus/policy'
	@echo 'make requirements  which test proves which promise, and which are not proven'
	@echo 'make clients       try the hooks with real agent programs (npm, 1.5 GB, offline otherwise; ARGS=claude for one)'
	@echo 'make bench         measure (latency, throughput, output, imports, cli, hook, mcp)'
	@echo 'make clean         remove everything that make made'
	@echo 'PYTHON=python3.12 chooses the interpreter of a new .venv.'

try: $(READY)
	@bash examples/try.sh

test: $(READY) packages
	$(RUN) pytest --numprocesses 2 --dist loadfile $(ARGS)

lint: $(READY)
	$(RUN) ruff format --check
	$(RUN) ruff check
	$(RUN) mypy
	.venv/bin/lint-imports

format: $(READY)
	$(RUN) ruff format
	$(RUN) ruff check --fix-only

requirements: $(READY)
	@.venv/bin/python tools/requirements.py $(ARGS)

grammar: $(READY)
	@PYTHONPATH=tests .venv/bin/python tools/grammar $(ARGS)

score: $(READY)
	@.venv/bin/python tools/score.py $(ARGS)

bench: $(READY)
	@set -e; for bench in $(BENCHES); do echo "== $$bench"; .venv/bin/python "$$bench" $(ARGS); done

clients: $(READY)
	@.venv/bin/python tools/clients $(ARGS)

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .grammar build dist
	find src tests bench tools examples -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# After .venv, never beside it: two apt-get at once would wait for each other's lock and fail.
packages: $(READY)
	@sh tools/setup.sh packages

# An environment remembers where it was made: a moved or copied tree makes its own.
ifneq ($(shell cat $(READY) 2>/dev/null),$(CURDIR))
.PHONY: $(READY)
endif

$(READY): pyproject.toml
	@sh tools/setup.sh venv "$(PYTHON)"
	@printf '%s\n' "$$(pwd -P)" > $@
