-- Lets PgBouncer ask for the secrets of the forum's users: run once by a superuser, in the forum's database.
--   psql --dbname=teahouse --set=password="$(openssl rand -hex 24)" --file=auth.sql
-- The same password belongs into /etc/pgbouncer/userlist.txt.

create role pgbouncer_auth login password :'password';

create schema pgbouncer;
grant usage on schema pgbouncer to pgbouncer_auth;

-- A superuser's secret is not given away, so none comes in through the pooler.
create function pgbouncer.secret_of(wanted text) returns table (name text, secret text)
  language sql security definer set search_path = pg_catalog
  as $$ select usename::text, passwd from pg_shadow where usename = wanted and not usesuper $$;

revoke all on function pgbouncer.secret_of from public;
grant execute on function pgbouncer.secret_of to pgbouncer_auth;
