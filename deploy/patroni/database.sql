-- Once, on the primary: sudo -u postgres psql -f database.sql
-- createdb is for test restores in the admin area alone.
create role teahouse login createrole createdb password 'CHANGE-teahouse';
create database teahouse owner teahouse encoding 'UTF8' template template0;
