-- Plain English for two of the first categories of reports, where staff have not named them otherwise since.

update report_category as category set name_en = plain.name
from (values
  ('违法信息', 'Against the law', 'Illegal content'),
  ('侵犯隐私', 'Tells of somebody’s private life', 'Private information')
) as plain (zh, first, name)
where category.name_zh = plain.zh and category.name_en = plain.first;
