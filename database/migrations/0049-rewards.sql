-- What members earn for what they write: points that come when a post does, and go when it goes.

create table reward (
  post_kind    post_kind not null,
  post_id      bigint not null,
  is_adoption  boolean not null default false,   -- for the answer that solved a question, beside what it earned as an answer
  member_id    bigint not null references member,
  rule         text not null check (rule in ('topic', 'comment', 'reply', 'question', 'answer', 'answerReply', 'adopted')),
  points       bigint not null check (points >= 0),
  day          date,                   -- whose limits it counts towards; null where it was written before there were any
  round        int not null default 0, -- how often it was given; what was given at the opening of the books is none
  is_due       boolean not null,       -- the post is on the page
  is_given     boolean not null,       -- other than due only until books that were frozen are thawed
  primary key (post_kind, post_id, is_adoption)
);
create index on reward (member_id, day) include (rule, points);   -- what a member earned in a day
create index on reward (post_kind, post_id) where is_due <> is_given;   -- what is to be done after a thaw

create function reward_source(its reward) returns text immutable language sql as $$
  select its.post_kind || ':' || its.post_id || case when its.is_adoption then ':adopted:' else ':' end || its.round
$$;

create function reward_deed(its reward, gives boolean) returns json immutable language sql as $$
  select json_build_object('kind', case when gives then 'reward' else 'rewardTaken' end, 'source', reward_source(its), 'actor_kind', 'forum',
    'earns', true, 'entries', json_build_array(
      json_build_object('name', 'member', 'owner', its.member_id, 'currency', 'points', 'owes', true,
        'amount', case when gives then its.points else -its.points end),
      json_build_object('name', 'promotion', 'currency', 'points', 'amount', case when gives then -its.points else its.points end)))
$$;

create function books_take_writes() returns boolean stable language sql as $$
  select not exists (select from ledger.freezing where thawed_at is null)
$$;

-- Posts are on the page: each earns what its rule gives, within the limits of the day, or again what it earned before.
create function give_rewards(posts json, terms json) returns void language plpgsql as $$
declare
  post record;
  its reward;
  takes_writes boolean := books_take_writes();
  gives boolean;
  deeds json[] := '{}';
  by_rule bigint;
  by_all bigint;
  most bigint;
begin
  -- Two posts of one member wait for one another here, so that both see what the day has left.
  perform from member where id in (select (named ->> 'member')::bigint from json_array_elements(posts) as named) order by id for no key update;
  for post in select * from json_to_recordset(posts) as (kind text, id bigint, member bigint, rule text, at timestamptz) loop
    select * into its from reward where post_kind = post.kind and post_id = post.id and is_adoption = (post.rule = 'adopted') for update;
    if not found then
      its.day := (coalesce(post.at, clock_timestamp()) at time zone (terms ->> 'zone'))::date;
      select coalesce(sum(points) filter (where rule = post.rule), 0), coalesce(sum(points), 0) into by_rule, by_all
        from reward where member_id = post.member and day = its.day;
      most := least(coalesce((terms -> post.rule ->> 'most')::bigint - by_rule, 1000000), coalesce((terms ->> 'most')::bigint - by_all, 1000000));
      insert into reward (post_kind, post_id, is_adoption, member_id, rule, points, day, round, is_due, is_given)
        values (post.kind, post.id, post.rule = 'adopted', post.member, post.rule,
          greatest(0, least((terms -> post.rule ->> 'points')::bigint, most)), its.day, takes_writes::int, true, takes_writes)
        returning * into its;
      gives := takes_writes;
    else
      continue when its.is_due;
      gives := takes_writes and not its.is_given;
      update reward set is_due = true, member_id = post.member, is_given = is_given or gives, round = round + gives::int
        where post_kind = its.post_kind and post_id = its.post_id and is_adoption = its.is_adoption returning * into its;
    end if;
    if gives and its.points > 0 then deeds := deeds || reward_deed(its, true); end if;
  end loop;
  if cardinality(deeds) > 0 then perform ledger.post(array_to_json(deeds)); end if;
end $$;

-- Posts are on the page no more, or solve their questions no more.
create function take_rewards(posts json) returns void language plpgsql as $$
declare
  takes_writes boolean := books_take_writes();
  deeds json;
begin
  with named as (
    select reward.* from reward join json_to_recordset(posts) as post (kind text, id bigint, "isAdoption" boolean)
      on post_kind = post.kind and post_id = post.id and is_adoption = post."isAdoption"
    where is_due order by member_id, post_kind, post_id for update of reward
  ), taken as (
    update reward set is_due = false, is_given = reward.is_given and not takes_writes from named
    where (reward.post_kind, reward.post_id, reward.is_adoption) = (named.post_kind, named.post_id, named.is_adoption)
  )
  select json_agg(reward_deed(named::reward, false)) into deeds from named where takes_writes and is_given and points > 0;
  if deeds is not null then perform ledger.post(deeds); end if;
end $$;

-- Posts are another member's now, with what they earned.
create function hand_over_rewards(posts json, new_member bigint) returns void language plpgsql as $$
declare
  its reward;
  deeds json[] := '{}';
begin
  for its in
    select reward.* from reward join json_to_recordset(posts) as post (kind text, id bigint) on post_kind = post.kind and post_id = post.id
    where member_id <> new_member order by member_id, post_kind, post_id for update of reward
  loop
    if its.is_given and its.points > 0 then deeds := deeds || reward_deed(its, false); end if;
    update reward set member_id = new_member, round = round + is_given::int
      where post_kind = its.post_kind and post_id = its.post_id and is_adoption = its.is_adoption returning * into its;
    if its.is_given and its.points > 0 then deeds := deeds || reward_deed(its, true); end if;
  end loop;
  if cardinality(deeds) > 0 then perform ledger.post(array_to_json(deeds)); end if;
end $$;

-- What came and went while the books were frozen. Gives how many there were.
create function settle_rewards(at_most int) returns int language plpgsql as $$
declare
  its reward;
  deeds json[] := '{}';
  settled int := 0;
begin
  if not books_take_writes() then return 0; end if;
  for its in select * from reward where is_due <> is_given order by member_id limit at_most for update skip locked loop
    settled := settled + 1;
    update reward set is_given = is_due, round = round + is_due::int
      where post_kind = its.post_kind and post_id = its.post_id and is_adoption = its.is_adoption returning * into its;
    if its.points > 0 then deeds := deeds || reward_deed(its, its.is_given); end if;
  end loop;
  if cardinality(deeds) > 0 then perform ledger.post(array_to_json(deeds)); end if;
  return settled;
end $$;

-- Opens the books: members have the points that were counted for what they have on the page. What has its reward already counts no more.
create function ledger.open_books() returns void language sql as $$
  with written as (
    insert into public.reward (post_kind, post_id, member_id, rule, points, is_due, is_given)
    select 'topic', id, author_id, kind, 10, true, true from public.topic where status = 'published'
    union all select 'comment', id, author_id, case thread_kind when 'question' then 'answer' else 'comment' end, 5, true, true
      from public.comment where status = 'published'
    union all select 'reply', id, author_id, case thread_kind when 'question' then 'answerReply' else 'reply' end, 5, true, true
      from public.reply where status = 'published'
    on conflict do nothing returning member_id, points
  ), earned as (
    select member_id, sum(points)::bigint as points from written group by member_id
  ), counted as (
    update public.member set points_earned = points_earned + earned.points from earned where member.id = earned.member_id
  ), opened as (
    insert into ledger.account (name, owner_id, currency, balance) select 'member', member_id, 'points', points from earned
    returning id, owner_id
  ), noted as (
    insert into ledger.transaction (kind, source, actor_kind) select 'opening', 'member:' || member_id, 'forum' from earned
    returning id, source
  )
  insert into ledger.entry (transaction_id, account_id, currency, amount, balance_after)
  select noted.id, side.* from earned join opened on owner_id = member_id join noted on source = 'member:' || member_id,
    lateral (
      select opened.id, 'points', points, points
      union all
      select id, 'points', -points, null from ledger.account where name = 'promotion' and currency = 'points'
    ) as side (account_id, currency, amount, balance_after)
$$;
revoke all on function ledger.open_books() from public;
select ledger.open_books();

-- What came of each look at the books.
create table books_check (
  id        bigint generated always as identity primary key,
  began_at  timestamptz not null,
  ended_at  timestamptz not null default clock_timestamp(),
  is_full   boolean not null,
  breaches  jsonb not null
);
