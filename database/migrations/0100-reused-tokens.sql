-- A refresh token that is used a second time ends its session: its owner finds in their log when that was, and from where.

alter table login_log drop constraint login_log_kind_check;
alter table login_log add constraint login_log_kind_check check (kind in ('login', 'renewal', 'reused'));
