# PostgreSQL with Patroni, which makes the standby and fails over to it, and etcd, which Patroni decides by.
# Patroni speaks to etcd by python3-etcd, which its package only offers as one of several.
# All of them are packages of the two sources that the base image has: its distribution, and PostgreSQL's own.
FROM postgres:18
RUN apt-get update \
    && apt-get install -y --no-install-recommends patroni python3-etcd etcd-server \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o postgres -g postgres -m 0700 /var/lib/etcd /var/lib/postgresql
COPY start-patroni.sh make-database.sh /usr/local/bin/
USER postgres
ENTRYPOINT ["sh", "/usr/local/bin/start-patroni.sh"]
STOPSIGNAL SIGTERM
