-- Functions, triggers and policies take the words of the field. Renamed, they keep their rights and all that rests on them; their text
-- follows with the rules of the features. A new database has none of them yet.
do $$
declare
  its record;
begin
  for its in
    select format('alter function %s rename to %I', found.oid::regprocedure, new) as change from (values
      ('ledger', 'living', 'current_member'), ('ledger', 'are_one', 'is_same_member'), ('ledger', 'entry_of', 'make_entry'),
      ('ledger', 'lock_for', 'lock_accounts_of'), ('ledger', 'shares_of', 'site_shares'), ('ledger', 'plan', 'plan_entries'),
      ('ledger', 'write_down', 'write_entries'), ('ledger', 'members_of', 'member_amounts'),
      ('ledger', 'must_be_owned', 'require_owner'), ('ledger', 'must_balance', 'require_balance'),
      ('ledger', 'demand_document', 'require_document'), ('ledger', 'sum_up', 'sum_months'), ('hidden', 'why', 'unlock_reason'),
      ('hidden', 'keep_as_it_is', 'lock_for_share'), ('hidden', 'one', 'find'), ('hidden', 'seen', 'visible_among'),
      ('hidden', 'known', 'properties'), ('hidden', 'whole', 'documents'), ('hidden', 'differs', 'has_changes'),
      ('hidden', 'write', 'save'), ('hidden', 'hold', 'stage'), ('hidden', 'apply', 'apply_staged'),
      ('hidden', 'wait_no_more', 'discard_staged'), ('hidden', 'becomes', 'convert'), ('hidden', 'open', 'record_unlock'),
      ('public', 'books_take_writes', 'is_ledger_writable'), ('public', 'give_rewards', 'grant_rewards'),
      ('public', 'give_like_rewards', 'grant_like_rewards'), ('public', 'turn_rewards', 'update_reward'),
      ('public', 'take_rewards', 'revoke_rewards'), ('public', 'hand_over_rewards', 'transfer_rewards'),
      ('public', 'reward_action', 'reward_transaction'), ('public', 'reward_named', 'reward_by_source'),
      ('public', 'demand_request_entry', 'require_audit_entry'), ('public', 'demand_refund_cause', 'require_refund_cause'),
      ('public', 'moved_by_provider', 'is_moved_by_provider'), ('public', 'is_taken_refund', 'is_debited_refund'),
      ('public', 'is_taken_dispute', 'is_debited_dispute'), ('public', 'refuse_change', 'refuse_audit_change'),
      ('public', 'take_names', 'update_taken_names'), ('public', 'note_rename', 'record_rename'),
      ('public', 'document_named', 'rename_in_document'), ('public', 'html_named', 'rename_in_html'),
      ('public', 'asking_member', 'current_member_id'), ('public', 'asking_is_one_of', 'current_member_is_one_of'),
      ('public', 'message_shown', 'is_message_visible'), ('public', 'count_messages', 'recount_conversation'),
      ('public', 'lock_between', 'lock_conversation'), ('public', 'raise_message_revision', 'update_message_revision'),
      ('public', 'welcome_by_message', 'send_welcome_message'), ('public', 'welcome_member', 'add_welcome_notification'),
      ('public', 'count_notification_once', 'correct_notification_count'), ('public', 'wait_for_sending', 'queue_notifications'),
      ('public', 'end_push', 'delete_push_subscriptions'), ('public', 'people_in', 'count_participants'),
      ('public', 'topic_is_listed', 'update_topic_tags'), ('public', 'search_notes_new', 'note_search_addition'),
      ('public', 'search_notes_change', 'note_search_change'), ('public', 'search_notes_topic', 'note_search_topic'),
      ('public', 'search_notes_part', 'note_search_topic_part'), ('public', 'search_notes_bounty', 'note_search_bounty'),
      ('public', 'cut_off_uses', 'interrupted_uses'), ('public', 'end_cut_off_turns', 'end_interrupted_turns'),
      ('public', 'forget_uses', 'delete_uses'), ('public', 'forget_conversations', 'delete_conversations'),
      ('public', 'forget_reported_turns', 'delete_reported_turns'),
      ('public', 'red_envelope_browsers_shared', 'red_envelope_shared_browsers'),
      ('public', 'membership_rest', 'membership_remainder')
    ) as named (schema, old, new) join pg_proc as found on found.proname = old and found.pronamespace = to_regnamespace(schema)
    union all
    select format('alter trigger %I on %s rename to %I', old, found.tgrelid::regclass, new) from (values
      ('stays', 'immutable'), ('stays_itself', 'immutable_columns'), ('balances', 'requires_balance'), ('owned', 'requires_owner'),
      ('demands_cause', 'requires_cause'), ('demands_document', 'requires_document'), ('demands_entry', 'requires_audit_entry'),
      ('changed', 'updates_revision'), ('names_taken', 'updates_taken_names'), ('renamed', 'records_rename'),
      ('question_added', 'adds_topic_tag'), ('tagged_changed', 'updates_topic_tags'), ('search_new', 'search_added'),
      ('search_gone', 'search_deleted'), ('counted_once_when_noted_twice', 'count_corrected'),
      ('waits_for_sending', 'queues_notifications'), ('ends_push', 'deletes_push_subscriptions'),
      ('welcomed_when_added', 'adds_welcome_notification'), ('written_to_when_added', 'sends_welcome_message')
    ) as named (old, new) join pg_trigger as found on found.tgname = old and not found.tgisinternal
      join pg_class as its_table on its_table.oid = found.tgrelid and its_table.relnamespace in ('public'::regnamespace, 'ledger'::regnamespace)
    union all
    select format('alter policy %I on %s rename to %I', old, found.polrelid::regclass, new) from (values
      ('its_two_read', 'participants_read'), ('its_two_change', 'participants_update'), ('its_author_writes', 'author_inserts'),
      ('its_two', 'own_conversations'), ('its_reporter_writes', 'reporter_inserts'), ('its_member', 'own_rows')
    ) as named (old, new) join pg_policy as found on found.polname = old
  loop
    execute its.change;
  end loop;
end $$;
