# The targets people use. Everything is built with one tag: gms_pure_go keeps cgo out.

GO        := go
TAGS      := -tags gms_pure_go
GOENV     := CGO_ENABLED=0
LDFLAGS   := -ldflags "-s -w"
PORT      ?= 3306
DATADIR   ?= data
CLIENTS   := .cache/clients

# Packages with tests that need nothing but Go; the real-process tests are run one after the other, they measure waits.
UNIT      = $(shell $(GO) list $(TAGS) ./... | grep -v -e '^emberdb/tests/' -e '^emberdb/internal/lint$$')
# Of them those that run with their invariants and the order of latches asserted.
ASSERTED  = $(shell $(GO) list $(TAGS) ./internal/invariants ./engine/... ./binlog)
# Rooms where goroutines share memory.
RACE      ?= ./internal/... ./engine/... ./binlog/... ./replication/... ./sqllayer ./compiled ./server/... ./bench/...

.PHONY: help run build docs dist test-dist test lint unit isolation differential equality-mysql oracles process process-long record-directories clients replication chain tools vitess backup backup-killed restores replay torture torture-slice sweep sweep-slice histories race bench compare fmt clean

help:
	@echo "make run        build, start the server on ./$(DATADIR), port $(PORT)"
	@echo "make build      bin/emberd and bin/ember"
	@echo "make test       everything that must pass before a merge (about a quarter of an hour on two cores)"
	@echo "make race       unit tests under the race detector (needs gcc)"
	@echo "make bench      TPC-C-like load on a fresh server"
	@echo "make compare    this build beside the servers that PEERS names, see docs/bench.md"
	@echo "make equality-mysql DSN=...  generated statements beside a MySQL server"
	@echo "make oracles    generated conditions, whose answers must agree with each other"
	@echo "make tools      canal, gh-ost, Orchestrator, Maxwell, ProxySQL, percona-toolkit and mydumper on a source and its replica (needs root)"
	@echo "make vitess     Vitess over servers of this build: reparents, MoveTables, Reshard, online DDL"
	@echo "make chain      three servers that follow each other, killed 20 times"
	@echo "make replay DSN=...  the binary log of a run with kills, replayed into an empty MySQL by mysqlbinlog"
	@echo "make histories  500,000 random transactions, judged for anomalies of their isolation levels"
	@echo "make restores   70 restores of backups taken under load, judged row by row"
	@echo "make record-directories FORMAT=0.3.0  data directories of this build, which later builds must open"
	@echo "make torture    kill -9 under load, 50 times, 10 warehouses"
	@echo "make sweep      each operation on a file fails in turn, and each meets a power cut"
	@echo "make docs       .cache/site: the documentation as a site (needs Python 3)"
	@echo "make dist       dist/: .deb, .rpm, container image, archive, list of parts, checksums"
	@echo "make test-dist  tries .deb, .rpm and image in a Debian of its own (needs root, debootstrap, mysql)"
	@echo "make fmt clean"

build:
	$(GOENV) $(GO) build $(TAGS) -trimpath $(LDFLAGS) -o bin/emberd ./cmd/emberd
	$(GOENV) $(GO) build $(TAGS) -trimpath $(LDFLAGS) -o bin/ember ./cmd/ember

run: build
	@mkdir -p $(DATADIR)
	@echo "Connect with:  mysql --protocol=tcp --port=$(PORT) --user=root"
	@echo "          or:  mysql --socket=$(CURDIR)/$(DATADIR).sock --user=root"
	bin/emberd --datadir=$(CURDIR)/$(DATADIR) --port=$(PORT) --socket=$(CURDIR)/$(DATADIR).sock

test: lint build unit isolation differential process clients replication backup torture-slice sweep-slice
	@echo "all tests passed"

lint:
	@out=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$out" ] || { echo "gofmt would change:"; echo "$$out"; exit 1; }
	$(GOENV) $(GO) vet $(TAGS) ./...
	$(GOENV) $(GO) tool staticcheck $(TAGS) ./...
	$(GOENV) $(GO) test $(TAGS) -count=1 ./internal/lint

unit:
	$(GOENV) $(GO) test $(TAGS),invariants -timeout 15m $(ASSERTED)
	$(GOENV) $(GO) test $(TAGS) -timeout 15m $(filter-out $(ASSERTED),$(UNIT))

# The real-process tests use the binaries of this build.
REAL = EMBERD_BIN=$(CURDIR)/bin/emberd EMBER_BIN=$(CURDIR)/bin/ember $(GOENV) $(GO) test $(TAGS) -count=1

isolation: build
	$(REAL) -timeout 10m -parallel 8 ./tests/isolation ./tests/history

differential: build
	$(REAL) -timeout 10m ./tests/accounts ./tests/rights ./tests/differential ./tests/equality

# The generated statements beside a MySQL 9.7 server: make equality-mysql DSN='root@tcp(127.0.0.1:3307)/'
equality-mysql: build
	EMBER_SEED=random EQUALITY_ROUNDS=$(or $(ROUNDS),3000) $(REAL) -timeout 120m -v ./tests/equality -run 'TestBothWaysAreEqual|TestReadsAreEqual|TestWideStatements' -dsn '$(DSN)'

# Generated conditions, asked in several ways: the answers must agree. No other server is needed.
oracles: build
	EMBER_SEED=random EQUALITY_ROUNDS=$(or $(ROUNDS),5000) $(REAL) -timeout 120m -v ./tests/equality -run TestAnswersAgree

process: build
	$(REAL) -timeout 15m -short ./tests/process ./tests/upgrade

# The same with every statement that must end, and every one that fills memory.
process-long: build
	$(REAL) -timeout 60m -v ./tests/process

# Two data directories for the tests of later builds, named after this one: make record-directories FORMAT=0.3.0
record-directories: build
	@[ -n "$(FORMAT)" ] || { echo "usage: make record-directories FORMAT=name"; exit 1; }
	$(REAL) -timeout 10m ./tests/upgrade -run TestRecord -record $(FORMAT)

clients: build
	tests/clients/install.sh $(CLIENTS)
	$(REAL) -timeout 20m ./tests/clients
	EMBER_BROWSER=chromium $(REAL) -timeout 10m ./dashboard -run TestStates

replication: build
	$(REAL) -timeout 20m ./tests/replication ./tests/tools

# Tools of others, unmodified: make tools [SOURCES=folder with the sources of gh-ost, orchestrator, maxwell and proxysql]
tools: build
	tests/tools/install.sh .cache/tools $(SOURCES)
	EMBER_TOOLS="canal pt-online-schema-change pt-table-checksum pt-table-sync mydumper myloader $(if $(SOURCES),$(notdir $(wildcard $(SOURCES)/gh-ost $(SOURCES)/orchestrator $(SOURCES)/maxwell $(SOURCES)/proxysql)))" $(REAL) -timeout 30m -v ./tests/tools

# Vitess, built of the release that tests/tools/vitess names, over servers of this build.
vitess: build
	tests/tools/vitess/install.sh .cache/tools
	EMBER_TOOLS="etcd vtctld vtctldclient vtgate vtorc vttablet" $(REAL) -timeout 30m -v ./tests/tools -run TestVitess

# The whole log of a source that is killed under load, run by an empty MySQL 9.7 with gtid_mode=ON:
# make replay DSN='root@unix(/path/to/socket)/' MYSQLBINLOG=/path/to/mysqlbinlog MYSQL=/path/to/mysql [KILLS=8] [LOAD=100s]
replay: build
	EMBER_SEED=random $(REAL) -timeout 120m -v ./tests/replication -run TestReplay -kills $(or $(KILLS),8) -load $(or $(LOAD),100s) \
		-mysqlbinlog '$(or $(MYSQLBINLOG),mysqlbinlog)' -client '$(or $(MYSQL),mysql)' -replay '$(DSN)'

# Three servers that follow each other, killed 20 times. FIRST, MIDDLE and LAST may each be flags that put
# another server there: LAST='-replica last=DSN -start last=COMMAND -kill last=COMMAND'
chain: build
	EMBER_SEED=random $(REAL) -timeout 60m -v ./tests/replication -run 'TestChain$$' -chainkills 20 -load 80s $(FIRST) $(MIDDLE) $(LAST)

backup: build
	$(REAL) -timeout 15m ./tests/backup

# Backups, restores, clones, and servers whose pages are still in a backup or are being replaced by
# a clone, are killed at hundreds of random moments; restores go to twenty random points in time.
backup-killed: build
	EMBER_SEED=random $(REAL) -timeout 120m -v ./tests/backup -run 'Killed|TestPointInTime' -rounds 20

# Fifty restores of backups taken at random moments of the TPC-C-like load, with a definition a
# second, and twenty to random times and transactions beside a replica that was stopped there.
restores: build
	EMBER_SEED=random $(REAL) -timeout 120m -v ./tests/backup -run TestRestoredOrders -rounds 50 -warehouses 2
	EMBER_SEED=random $(REAL) -timeout 120m -v ./tests/backup -run TestPointsOfOrders -rounds 20

torture-slice: build
	$(REAL) -timeout 10m ./tests/torture -kills 6

# Operation k on any file fails, or the power is cut there: at random k, or at every one.
sweep-slice:
	EMBER_SEED=random EMBER_SWEEP=120 $(GOENV) $(GO) test $(TAGS) -timeout 10m -count=1 ./engine -run 'TestSweep$$'

sweep:
	EMBER_SEED=random EMBER_SWEEP=all $(GOENV) $(GO) test $(TAGS) -timeout 300m -count=1 -v ./engine -run 'TestSweep$$'

torture: build
	EMBER_SEED=random $(REAL) -timeout 120m -v ./tests/torture -kills 50 -warehouses 10

# Random histories of clients at all levels, beside definitions, kills and a replica: make histories [TRANSACTIONS=500000]
histories: build
	EMBER_SEED=random $(REAL) -timeout 300m -v ./tests/isolation -run TestHistory -transactions $(or $(TRANSACTIONS),500000)
	EMBER_SEED=random EMBER_TRANSACTIONS=$(or $(TRANSACTIONS),500000) $(GOENV) $(GO) test $(TAGS) -count=1 -timeout 60m ./engine -run TestReadsBesideIndexBuilds

race:
	CGO_ENABLED=1 $(GO) test $(TAGS) -race -timeout 30m $(RACE)

docs:
	@[ .cache/docs/bin/mkdocs -nt docs/requirements.txt ] || { python3 -m venv .cache/docs && .cache/docs/bin/pip install --quiet -r docs/requirements.txt && touch .cache/docs/bin/mkdocs; }
	.cache/docs/bin/mkdocs build --quiet --clean

# The release. Its tools are a module of their own, so that the server's own list of dependencies stays what it needs.
VERSION = $(shell sed -n 's/^const Version = "\(.*\)"/\1/p' server/server.go)
ARCH    = $(shell $(GO) env GOARCH)

# packages makes the .deb and the .rpm of VERSION in OUT.
OUT = dist
packages: build
	mkdir -p $(OUT) .cache/tools .cache/share/man .cache/scripts
	cd packaging/tools && $(GO) build -o ../../.cache/tools/ ./image github.com/goreleaser/nfpm/v2/cmd/nfpm github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
	bin/ember manual --dir=.cache/share/man && gzip -fn9 .cache/share/man/*.1
	for s in bash zsh fish; do bin/ember completion $$s > .cache/share/ember.$$s || exit 1; done
	for f in packaging/scripts/*; do sed 's/@VERSION@/$(VERSION)/g' $$f > .cache/scripts/$$(basename $$f); done
	cd packaging && for p in deb rpm; do VERSION=$(VERSION) ARCH=$(ARCH) ../.cache/tools/nfpm package --config nfpm.yaml --packager $$p --target ../$(OUT)/ || exit 1; done

dist: clean-dist packages
	.cache/tools/image --out=dist/ember-$(VERSION)-$(ARCH).image.tar --tag=ember:$(VERSION) --arch=$(ARCH) bin/emberd bin/ember
	.cache/tools/cyclonedx-gomod bin -json -output dist/ember-$(VERSION).sbom.json bin/emberd
	tar -C . --sort=name --owner=0 --group=0 --mtime=@0 -czf dist/ember-$(VERSION)-linux-$(ARCH).tar.gz bin LICENSE README.md docs packaging/emberd.service packaging/ember.cnf packaging/monitoring
	cd dist && sha256sum * > SHA256SUMS && ls -l

clean-dist:
	rm -rf dist .cache/share

test-dist: dist
	rm -rf .cache/next && $(MAKE) packages OUT=.cache/next VERSION=99.0
	tests/dist/run.sh dist .cache/next .cache/dist

bench: build
	bash bench/tpcc.sh

compare: build
	bash bench/versus.sh compare $(ARGS)

fmt:
	gofmt -w $$(git ls-files '*.go')

clean:
	rm -rf bin dist .cache
