-- The role that only reads may not select what opens something. Two of its questions need a column of their own for that.

-- Whether an account has a password, which pages ask for; worked out by the database, so no way of setting one forgets it.
alter table member add column has_password boolean not null generated always as (password_hash is not null) stored;

-- Passwords and keys among the settings, apart from all other values. The value of such a setting only says that it is set.
alter table setting add column sealed bytea;
update setting set sealed = decode(value ->> 'sealed', 'base64'), value = 'true'
  where jsonb_typeof(value) = 'object' and value ? 'sealed';
