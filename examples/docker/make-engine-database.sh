#!/bin/sh
# Run once by the Postgres image: the database of knowledge bases, memories and events, of a user who has no right to n8n's own.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$ENGINE_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE USER engine PASSWORD :'password';
CREATE DATABASE engine OWNER engine;
REVOKE CONNECT ON DATABASE n8n FROM PUBLIC;
\connect engine
CREATE EXTENSION vector;
SQL
