-- The terms stand in one place: their versions. What the settings said of them is the first version where there is none.

insert into terms (body_zh, body_en, asks_again)
select
  coalesce(zh.value #>> '{}', E'# 服务条款\n\n请友善、守法，并对自己写下的内容负责。'),
  coalesce(en.value #>> '{}', E'# Terms of service\n\nBe kind, keep to the law, and answer for what you write.'),
  false
from (select) as none
left join setting zh on zh.name = 'termsZh'
left join setting en on en.name = 'termsEn'
where (zh.name is not null or en.name is not null) and not exists (select from terms);

delete from setting where name in ('termsZh', 'termsEn');

-- "Moderator" was the name of a role of members and of one of staff, which are given on different screens.
update role set name_en = 'Keeper' where name_zh = '掌柜' and name_en = 'Moderator';
update staff_role set name_zh = '内容编辑', name_en = 'Content editor' where name_zh = '版主' and name_en = 'Moderator';

alter table staff add column owes_password boolean not null default false;   -- somebody else handed theirs out: they choose their own first
