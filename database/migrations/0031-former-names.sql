-- The former names of functions that servers of the previous version call while they still run: each calls the function of today. A
-- migration of a later version drops them.
set local check_function_bodies = off;  -- the rules of the features follow
alter default privileges revoke execute on functions from public;

create function ledger.living(its_member bigint) returns bigint language sql stable as 'select ledger.current_member($1)';
create function ledger.are_one(one bigint, other bigint) returns boolean language sql stable as 'select ledger.is_same_member($1, $2)';
create function ledger.sum_up(its_upto bigint, its_zone text) returns void language sql as 'select ledger.sum_months($1, $2)';
create function hidden.keep_as_it_is(its_part text) returns void language sql as 'select hidden.lock_for_share($1)';
create function hidden.one(its_part text, reader bigint, sees_all boolean)
  returns table (thread_id bigint, author_id bigint, lock text, needs bigint, is_there boolean, is_shown boolean, why text, segments jsonb, refunds int)
  language sql stable as 'select * from hidden.find($1, $2, $3)';
create function hidden.seen(its_parts text[], reader bigint, sees_all boolean) returns setof text
  language sql stable as 'select * from hidden.visible_among($1, $2, $3)';
create function hidden.known(its_topic bigint, its_comment bigint) returns table (id text, lock text, needs bigint, file_ids text[])
  language sql stable as 'select * from hidden.properties($1, $2)';
create function hidden.whole(its_topic bigint, reader bigint, sees_all boolean, that_wait boolean) returns table (id text, document jsonb)
  language sql stable as 'select * from hidden.documents($1, $2, $3, $4)';
create function hidden.differs(parts json) returns boolean language sql stable as 'select hidden.has_changes($1)';
create function hidden.write(its_topic bigint, its_comment bigint, parts json) returns text
  language sql as 'select hidden.save($1, $2, $3)';
create function hidden.hold(its_topic bigint, parts json) returns void language sql as 'select hidden.stage($1, $2)';
create function hidden.apply(its_topic bigint) returns table (id text, file_ids text[], came_out text)
  language sql as 'select * from hidden.apply_staged($1)';
create function hidden.wait_no_more(its_topic bigint) returns void language sql as 'select hidden.discard_staged($1)';
create function hidden.becomes(from_topic bigint, from_comment bigint, its_topic bigint, its_comment bigint) returns void
  language sql as 'select hidden.convert($1, $2, $3, $4)';
create function hidden.open(its_part text, its_member bigint, its_lock text, its_paid bigint, its_earned bigint, its_transaction bigint)
  returns boolean
  language sql as 'select hidden.record_unlock($1, $2, $3, $4, $5, $6)';
create function give_rewards(posts json, terms json) returns void language sql as 'select grant_rewards($1, $2)';
create function give_like_rewards(changes json, terms json) returns void language sql as 'select grant_like_rewards($1, $2)';
create function take_rewards(posts json) returns void language sql as 'select revoke_rewards($1)';
create function hand_over_rewards(posts json, new_member bigint) returns void language sql as 'select transfer_rewards($1, $2)';
create function is_taken_refund(back payment_refund) returns boolean language sql stable as 'select is_debited_refund($1)';
create function is_taken_dispute(disputed payment_dispute) returns boolean language sql stable as 'select is_debited_dispute($1)';
create function document_named(its jsonb, member bigint, name text) returns jsonb
  language sql immutable strict parallel safe as 'select rename_in_document($1, $2, $3)';
create function html_named(its jsonb, member bigint, name text) returns jsonb
  language sql immutable strict parallel safe as 'select rename_in_html($1, $2, $3)';
create function message_shown(its message, reader bigint) returns boolean language sql immutable as 'select is_message_visible($1, $2)';
create function count_messages(whose bigint, other bigint) returns void language sql as 'select recount_conversation($1, $2)';
create function people_in(thread bigint, author bigint, writing bigint, enough int) returns int
  language sql stable as 'select count_participants($1, $2, $3, $4)';
create function cut_off_uses(silent_since timestamptz, most int)
  returns table (id bigint, job text, input_tokens int, output_tokens int, read text, written text)
  language sql as 'select * from interrupted_uses($1, $2)';
create function end_cut_off_turns(began_before timestamptz) returns void language sql as 'select end_interrupted_turns($1)';
create function forget_uses(began_before timestamptz, most int) returns int language sql as 'select delete_uses($1, $2)';
create function forget_conversations(resting_since timestamptz, most int) returns int language sql as 'select delete_conversations($1, $2)';
create function forget_reported_turns(handled_before timestamptz, most int) returns int
  language sql as 'select delete_reported_turns($1, $2)';
create function red_envelope_browsers_shared(its_envelope bigint) returns int
  language sql stable as 'select red_envelope_shared_browsers($1)';
create function membership_rest(amount bigint, during tstzrange, its_unit text, moment timestamptz) returns bigint
  language sql immutable as 'select membership_remainder($1, $2, $3, $4)';

grant execute on function ledger.living, ledger.are_one, hidden.one, hidden.seen, hidden.known, hidden.whole, hidden.differs,
  is_taken_refund, is_taken_dispute, document_named, html_named, message_shown, people_in, red_envelope_browsers_shared, membership_rest
  to teahouse_app, teahouse_reader;

grant execute on function ledger.sum_up, hidden.keep_as_it_is, hidden.write, hidden.hold, hidden.apply, hidden.wait_no_more,
  hidden.becomes, hidden.open, give_rewards, give_like_rewards, take_rewards, hand_over_rewards, count_messages, cut_off_uses,
  end_cut_off_turns, forget_uses, forget_conversations, forget_reported_turns to teahouse_app;
