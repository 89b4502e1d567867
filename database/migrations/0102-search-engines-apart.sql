-- Each search engine is told of new topics by itself: one that does not answer keeps nothing from the other.

alter table told_engines drop column is_only, add column engine text;
update told_engines set engine = 'indexNow';
insert into told_engines (engine, until) select 'baidu', until from told_engines;
alter table told_engines add primary key (engine), add check (engine in ('indexNow', 'baidu'));
