-- Points for posts and likes. It is SQL because the daily limits are counted under the member's row lock, and because limits, row and
-- ledger are one statement that is sent with the commit: a comment needs no extra round trip (apps/server/round-trips.test.ts).

create or replace function reward_source(its reward) returns text immutable language sql as $$
  select its.post_kind || ':' || its.post_id || case when its.is_adoption then ':adopted:' else ':' end
    || case when its.liker_id is null then '' else 'liked:' || its.liker_id || ':' end || its.round
$$;
grant execute on function reward_source to teahouse_app, teahouse_reader;

create or replace function reward_transaction(its reward, gives boolean) returns json immutable language sql as $$
  select json_build_object('kind', case when gives then 'reward' else 'rewardTaken' end, 'source', reward_source(its), 'actor_kind', 'forum',
    'earns', true, 'lines', json_build_array(
      json_build_object('name', 'member', 'owner', its.member_id, 'currency', 'points', 'owes', true,
        'amount', case when gives then its.points else -its.points end),
      json_build_object('name', 'promotion', 'currency', 'points', 'amount', case when gives then -its.points else its.points end)))
$$;
grant execute on function reward_transaction to teahouse_app, teahouse_reader;

-- Posts the transactions of changed rewards; null stands for a change that moves nothing.
create or replace function post_rewards(transactions json[]) returns void language plpgsql as $$
declare
  moves json := (select json_agg(its) from unnest(transactions) as its where its is not null);
begin
  if moves is not null then perform ledger.post(moves); end if;
end $$;
grant execute on function post_rewards to teahouse_app;

create or replace function grant_rewards(posts json, terms json) returns void language plpgsql as $$
declare
  post record;
  its reward;
  takes_writes boolean := is_ledger_writable();
  transactions json[] := '{}';
  by_rule bigint;
  by_all bigint;
  most bigint;
begin
  -- Concurrent posts of one member are serialized here, so that both see the day's remainder.
  perform from member where id = any(array(select (named ->> 'member')::bigint from json_array_elements(posts) as named)) order by id for no key update;
  for post in select * from json_to_recordset(posts) as (kind text, id bigint, member bigint, rule text, at timestamptz) loop
    select * into its from reward where post_kind = post.kind and post_id = post.id and is_adoption = (post.rule = 'adopted') and liker_id is null
      for update;
    if not found then
      its.day := site_day(coalesce(post.at, clock_timestamp()));
      select coalesce(sum(points) filter (where rule = post.rule), 0), coalesce(sum(points), 0) into by_rule, by_all
        from reward where member_id = post.member and day = its.day;
      most := least(coalesce((terms -> post.rule ->> 'most')::bigint - by_rule, 1000000), coalesce((terms ->> 'most')::bigint - by_all, 1000000));
      insert into reward (post_kind, post_id, is_adoption, member_id, rule, points, day, round, is_due, is_given)
        values (post.kind, post.id, post.rule = 'adopted', post.member, post.rule,
          greatest(0, least((terms -> post.rule ->> 'points')::bigint, most)), its.day, takes_writes::int, true, takes_writes)
        returning * into its;
      if takes_writes and its.points > 0 then transactions := transactions || reward_transaction(its, true); end if;
    elsif not its.is_due then
      update reward set member_id = post.member
        where post_kind = its.post_kind and post_id = its.post_id and is_adoption = its.is_adoption and liker_id is null returning * into its;
      transactions := transactions || update_reward(its, true, takes_writes);
      -- The likes of the post are evaluated again when likes are counted next.
      if post.rule <> 'adopted' then
        insert into tally (of, post_kind, post_id, delta, members)
          select 'like', its.post_kind, its.post_id, 0, array_agg(member_id) from post_like
          where post_kind = its.post_kind and post_id = its.post_id having count(*) > 0;
      end if;
    end if;
  end loop;
  perform post_rewards(transactions);
end $$;
grant execute on function grant_rewards to teahouse_app;

-- Likes were added or removed: the author of a liked post earns points once for each liker, within the limits of the day and of the
-- liker. A like that gave nothing leaves no row, so a repeated like may give points later.
create or replace function grant_like_rewards(changes json, terms json) returns void language plpgsql set enable_seqscan = off as $$
declare
  one record;
  its reward;
  takes_writes boolean := is_ledger_writable();
  today date := site_day(clock_timestamp());
  transactions json[] := '{}';
  whose bigint;
  by_rule bigint;
  by_all bigint;
  by_one bigint;
  gives bigint;
begin
  for one in
    with named as (
      select distinct kind, id, liker from json_to_recordset(changes) as its (kind post_kind, id bigint, liker bigint)
    ), wrote as (
      select named.*, post.author_id as member, post.status from named cross join lateral (
        select author_id, status from topic where named.kind = 'topic' and topic.id = named.id
        union all select author_id, status from comment where named.kind = 'comment' and comment.id = named.id
        union all select author_id, status from reply where named.kind = 'reply' and reply.id = named.id) as post
    ), locked as (
      select id from member where id in (select member from wrote) order by id for no key update
    )
    select wrote.*, status = 'published' and member <> liker and exists (
      select from post_like where post_kind = wrote.kind and post_id = wrote.id and member_id = liker) as due
    from wrote where exists (select from locked where locked.id = member) order by member, kind, wrote.id, liker
  loop
    select * into its from reward where post_kind = one.kind and post_id = one.id and not is_adoption and liker_id = one.liker for update;
    if found then
      if its.is_due <> one.due then transactions := transactions || update_reward(its, one.due, takes_writes); end if;
      continue;
    end if;
    continue when not one.due;
    if whose is distinct from one.member then
      whose := one.member;
      select coalesce(sum(points) filter (where rule = 'liked'), 0), coalesce(sum(points), 0) into by_rule, by_all
        from reward where member_id = whose and day = today;
    end if;
    select coalesce(sum(points), 0) into by_one from reward where liker_id = one.liker and member_id = whose and day = today;
    gives := least((terms -> 'liked' ->> 'points')::bigint, (terms -> 'liked' ->> 'most')::bigint - by_rule,
      (terms -> 'liked' ->> 'mostFromOne')::bigint - by_one, (terms ->> 'most')::bigint - by_all);
    continue when gives <= 0;
    insert into reward (post_kind, post_id, member_id, rule, points, day, round, is_due, is_given, liker_id)
      values (one.kind, one.id, whose, 'liked', gives, today, takes_writes::int, true, takes_writes, one.liker) returning * into its;
    by_rule := by_rule + gives;
    by_all := by_all + gives;
    if takes_writes then transactions := transactions || reward_transaction(its, true); end if;
  end loop;
  perform post_rewards(transactions);
end $$;
grant execute on function grant_like_rewards to teahouse_app;

-- Gives or takes back a reward, depending on whether the post and the like exist. Returns the transaction to post, if any.
create or replace function update_reward(its reward, due boolean, takes_writes boolean) returns json language plpgsql as $$
declare
  is_now boolean := case when takes_writes then due else its.is_given end;
begin
  update reward set is_due = due, is_given = is_now, round = round + (is_now and not its.is_given)::int
    where post_kind = its.post_kind and post_id = its.post_id and is_adoption = its.is_adoption and liker_id is not distinct from its.liker_id;
  if is_now = its.is_given or its.points = 0 then return null; end if;
  if is_now then its.round := its.round + 1; end if;
  return reward_transaction(its, is_now);
end $$;
grant execute on function update_reward to teahouse_app;

create or replace function revoke_rewards(posts json) returns void language plpgsql as $$
declare
  its reward;
  takes_writes boolean := is_ledger_writable();
  transactions json[] := '{}';
begin
  for its in
    select reward.* from reward join json_to_recordset(posts) as post (kind text, id bigint, "isAdoption" boolean)
      on post_kind = post.kind and post_id = post.id and is_adoption = post."isAdoption"
    where is_due order by member_id, post_kind, post_id, liker_id for update of reward
  loop
    transactions := transactions || update_reward(its, false, takes_writes);
  end loop;
  perform post_rewards(transactions);
end $$;
grant execute on function revoke_rewards to teahouse_app;

create or replace function transfer_rewards(posts json, new_member bigint) returns void language plpgsql as $$
declare
  its reward;
  transactions json[] := '{}';
begin
  for its in
    select reward.* from reward join json_to_recordset(posts) as post (kind text, id bigint) on post_kind = post.kind and post_id = post.id
    where member_id <> new_member order by member_id, post_kind, post_id, liker_id for update of reward
  loop
    if its.is_given and its.points > 0 then transactions := transactions || reward_transaction(its, false); end if;
    -- Members do not earn by their own likes.
    if its.liker_id = new_member then
      delete from reward where post_kind = its.post_kind and post_id = its.post_id and liker_id = new_member;
      continue;
    end if;
    update reward set member_id = new_member, round = round + is_given::int
      where post_kind = its.post_kind and post_id = its.post_id and is_adoption = its.is_adoption and liker_id is not distinct from its.liker_id
      returning * into its;
    if its.is_given and its.points > 0 then transactions := transactions || reward_transaction(its, true); end if;
  end loop;
  perform post_rewards(transactions);
end $$;
grant execute on function transfer_rewards to teahouse_app;

create or replace function settle_rewards(at_most int) returns int language plpgsql as $$
declare
  its reward;
  transactions json[] := '{}';
  settled int := 0;
begin
  if not is_ledger_writable() then return 0; end if;
  for its in select * from reward where is_due <> is_given order by member_id limit at_most for update skip locked loop
    settled := settled + 1;
    transactions := transactions || update_reward(its, its.is_due, true);
  end loop;
  perform post_rewards(transactions);
  return settled;
end $$;
grant execute on function settle_rewards to teahouse_app;
