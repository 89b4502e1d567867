-- Everybody may attach files, as everybody may show pictures.

insert into role_right (role_id, right_name)
select role_id, 'attachment.upload' from role_right where right_name = 'picture.upload'
on conflict do nothing;

alter table upload add column taken_at timestamptz;   -- when somebody began to look at what was brought, so that nobody else does
