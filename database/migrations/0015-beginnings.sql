-- Other rows of a new forum: roles of staff, categories of reports, navigation, accounts of the ledger, counters.

insert into staff_role (name_zh, name_en, is_administrator) values ('管理员', 'Administrator', true);
with editors as (insert into staff_role (name_zh, name_en) values ('内容编辑', 'Content editor') returning id)
insert into staff_role_right (role_id, right_name)
  select id, unnest(array['content.view', 'content.edit', 'content.remove', 'content.review', 'member.view', 'report.view', 'report.decide'])
  from editors;
insert into audit_log_head (id, hash) values (0, '\x');
insert into site_zone (begins_at, zone) values ('-infinity', 'Asia/Shanghai');

insert into report_category (name_zh, name_en, sort) values
  ('违法或有害', 'Unlawful or harmful', 10), ('扰乱社区', 'Disturbs the community', 20), ('侵害权益', 'Infringes rights', 30),
  ('其他', 'Something else', 40);
insert into report_category (parent_id, name_zh, name_en, needs_reason, sort)
  select parent.id, leaf.zh, leaf.en, leaf.needs_reason, leaf.sort
  from (values
    ('Unlawful or harmful', '违法信息', 'Illegal content', false, 10), ('Unlawful or harmful', '诈骗', 'Fraud', false, 20),
    ('Unlawful or harmful', '色情低俗', 'Sexual content', false, 30), ('Unlawful or harmful', '煽动仇恨或暴力', 'Hatred or violence', false, 40),
    ('Disturbs the community', '广告或刷屏', 'Advertising or spam', false, 10), ('Disturbs the community', '人身攻击', 'Insults somebody', false, 20),
    ('Disturbs the community', '偏离话题', 'Off topic', false, 30), ('Infringes rights', '侵犯隐私', 'Private information', true, 10),
    ('Infringes rights', '抄袭或侵权', 'Copied without permission', true, 20), ('Something else', '其他问题', 'Another reason', true, 10)
  ) as leaf (under, zh, en, needs_reason, sort)
  join report_category as parent on parent.name_en = leaf.under;

insert into section (name_zh, name_en, url, sort) values ('首页', 'Home', '/index', 0), ('问答', 'Q&A', '/askList', 1),
  ('会员卡', 'Membership', '/membershipCardList', 2);   -- shown while there is a card to buy

insert into ledger.account (name, currency)
  select name, currency from unnest(enum_range(null::ledger.currency)) as currency, unnest(enum_range(null::ledger.account_name)) as name
    where name not in ('member', 'escrow');

insert into collusion_progress default values;
insert into search_state (made_by) values ('postgres 1');
insert into statistics_progress (source, id) values ('member', 0), ('topic', 0), ('comment', 0), ('reply', 0), ('page_view', 0);
