# Patroni runs this once, on the first primary, with the URL of its database.
set -eu
password=$(cat /run/secrets/moneta-password)
psql "$1" -v ON_ERROR_STOP=1 -v password="$password" <<'SQL'
CREATE ROLE moneta LOGIN PASSWORD :'password';
CREATE DATABASE moneta OWNER moneta ENCODING 'UTF8' TEMPLATE template0;
SQL
