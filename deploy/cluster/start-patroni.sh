# Patroni takes passwords from its environment; they come from files.
set -eu
export PATRONI_SUPERUSER_USERNAME=postgres
PATRONI_SUPERUSER_PASSWORD=$(cat /run/secrets/postgres-password)
export PATRONI_SUPERUSER_PASSWORD
export PATRONI_REPLICATION_USERNAME=replication
PATRONI_REPLICATION_PASSWORD=$(cat /run/secrets/replication-password)
export PATRONI_REPLICATION_PASSWORD
export PATRONI_POSTGRESQL_LISTEN=0.0.0.0:5432
export PATRONI_POSTGRESQL_CONNECT_ADDRESS="$PATRONI_NAME:5432"
export PATRONI_POSTGRESQL_DATA_DIR=/var/lib/postgresql/data
export PATRONI_POSTGRESQL_BIN_DIR=/usr/lib/postgresql/18/bin
export PATRONI_RESTAPI_LISTEN=0.0.0.0:8008
export PATRONI_RESTAPI_CONNECT_ADDRESS="$PATRONI_NAME:8008"
exec patroni /etc/patroni.yaml
