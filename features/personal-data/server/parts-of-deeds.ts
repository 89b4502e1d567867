import { sql } from 'kysely'
import type { Part } from '#personal-data/server/part.ts'

const nameOf = (column: string) => sql`(select coalesce(nickname, account) from member where member.id = ${sql.ref(column)})`

/** What one did beside writing posts, and what one was told. */
export const partsOfDeeds: Part[] = [
  {
    name: 'messages',
    by: ['message.low_id', 'message.high_id', 'message_side.member_id'],
    rows: (memberId) => sql`
      select id, ${nameOf('other')} as "with", other as "withId", author_id = ${memberId} as "isMine", text, body, sent_at as "sentAt"
      from (select *, case low_id when ${memberId} then high_id else low_id end as other from message
        where ${memberId} in (low_id, high_id) and message_shown(message, ${memberId}::bigint)) as its
      order by id`,
  },
  {
    name: 'message-settings',
    by: ['message_setting.member_id'],
    rows: (memberId) => sql`select senders from message_setting where member_id = ${memberId}`,
  },
  {
    name: 'message-reports',
    by: ['message_report.reporter_id'],
    rows: (memberId) => sql`
      select reason, reported_at as "reportedAt", outcome, result, decided_at as "decidedAt" from message_report where reporter_id = ${memberId} order by id`,
  },
  {
    name: 'assistant-conversations',
    by: ['assistant_conversation.member_id'],
    rows: (memberId) => sql`
      select id, title, topic_id as "topicId", created_at as "createdAt", (
        select coalesce(json_agg(json_build_object('prompt', prompt, 'answer', answer, 'sources', sources, 'at', created_at) order by id), '[]')
        from assistant_turn where conversation_id = conversation.id) as turns
      from assistant_conversation as conversation where member_id = ${memberId} order by id`,
  },
  {
    name: 'assistant-reports',
    by: ['assistant_report.member_id', 'assistant_report_copy.member_id'],
    rows: (memberId) => sql`
      select reason, note, reported_at as "reportedAt", result, handled_at as "handledAt",
        (select turns from assistant_report_copy where report_id = its.id) as turns
      from assistant_report as its where member_id = ${memberId} order by id`,
  },
  {
    name: 'assistant-answers',
    by: ['assistant_use.member_id'],
    rows: (memberId) => sql`
      select job, input_tokens as "inputTokens", output_tokens as "outputTokens", began_at as "beganAt" from assistant_use
      where member_id = ${memberId} order by id`,
  },
  {
    name: 'likes',
    by: ['liking.member_id'],
    rows: (memberId) => sql`select post_kind as kind, post_id as "postId", at from liking where member_id = ${memberId} order by at`,
  },
  {
    name: 'favourites',
    by: ['favourite.member_id', 'favourite_folder.member_id'],
    rows: (memberId) => sql`
      select topic_id as "topicId", name as folder, is_public as "isPublic", note, at
      from favourite_folder as folder left join favourite on folder_id = folder.id where folder.member_id = ${memberId}
      union all select topic_id, null, null, note, at from favourite where member_id = ${memberId} and folder_id is null order by at`,
  },
  {
    name: 'follows',
    by: ['following.member_id', 'followed_until.member_id'],
    rows: (memberId) => sql`select of as kind, of_id as id, level, at from following where member_id = ${memberId} order by at`,
  },
  {
    name: 'blocked',
    by: ['blocking.member_id'],
    rows: (memberId) =>
      sql`select other_id as "memberId", ${nameOf('other_id')} as name, how, at from blocking where member_id = ${memberId} order by at`,
  },
  {
    name: 'reminders',
    by: ['reminder.member_id'],
    rows: (memberId) => sql`
      select kind, topic_id as "topicId", count, at, read_at as "readAt" from reminder where member_id = ${memberId} and deleted_at is null order by id`,
  },
  {
    name: 'reminder-settings',
    by: ['reminder_mute.member_id'],
    rows: (memberId) => sql`select kind as "mutedKind" from reminder_mute where member_id = ${memberId} order by kind`,
  },
  {
    name: 'reminders-sent',
    by: ['reminder_choice.member_id', 'reminder_way.member_id'],
    rows: (memberId) => sql`
      select channel, rhythm, hour, quiet_from as "quietFrom", quiet_to as "quietTo", array(select kind from reminder_choice as choice where choice.member_id = way.member_id and choice.channel = way.channel order by kind) as kinds
      from reminder_way as way where member_id = ${memberId} order by channel`,
  },
  {
    name: 'push',
    by: ['push_subscription.member_id'],
    rows: (memberId) =>
      sql`select user_agent as device, made_at as "madeAt", used_at as "usedAt" from push_subscription where member_id = ${memberId} order by id`,
  },
  {
    name: 'notices',
    by: ['notice.member_id', 'notice_copy.member_id'],
    rows: (memberId) => sql`
      select kind, facts, sends_at as "sentAt", read_at as "readAt" from notice where member_id = ${memberId} and deleted_at is null and removed_at is null order by id`,
  },
  {
    name: 'read-topics',
    by: ['topic_read.member_id', 'all_read.member_id'],
    rows: (memberId) =>
      sql`select topic_id as "topicId", floor, read_at as "readAt" from topic_read where member_id = ${memberId} order by read_at`,
  },
  {
    name: 'ledger',
    by: ['ledger.account.owner_id', 'money_request.member_id'],
    rows: (memberId) => sql`
      select its.id, its.at, its.kind, account.name as account, entry.currency, entry.amount, entry.balance_after as "balanceAfter", its.reason
      from (
        select id, name from ledger.account where name = 'member' and owner_id = ${memberId}
        union all select account.id, name from ledger.hold join ledger.account on name = 'escrow' and account.owner_id = hold.id
          where hold.owner_id = ${memberId}
      ) as account join ledger.entry on entry.account_id = account.id join ledger.transaction as its on its.id = entry.transaction_id
      order by its.id`,
  },
  {
    name: 'payments',
    by: ['payment_order.member_id'],
    rows: (memberId) => sql`
      select number, provider, method, cents, state, created_at as "createdAt", paid_at as "paidAt", closed_at as "closedAt",
        provider_number as "providerNumber", transaction_id as "transactionId",
        (select json_agg(json_build_object('number', back.number, 'cents', back.cents, 'state', back.state, 'at', asked_at) order by back.id)
          from payment_refund as back where order_id = payment_order.id) as refunds
      from payment_order where member_id = ${memberId} order by id`,
  },
  {
    name: 'payments-credited-by-staff',
    by: ['payment_event.credited_to'],
    rows: (memberId) => sql`
      select provider, facts ->> 'providerNumber' as "providerNumber", facts ->> 'cents' as cents, handled_at as at, transaction_id as "transactionId"
      from payment_event where credited_to = ${memberId} order by id`,
  },
  {
    name: 'red-envelopes',
    by: ['red_envelope.giver_id', 'red_envelope.receiver_id', 'red_envelope_share.member_id'],
    rows: (memberId) => sql`
      select given.id, given.kind, topic_id as "topicId", comment_id as "commentId", message_id as "messageId", currency,
        given.created_at as "createdAt", state, greeting,
        case when giver_id = ${memberId} then given.amount end as given, case when giver_id = ${memberId} then returned end as returned,
        (select share.amount from red_envelope_share as share where envelope_id = given.id and member_id = ${memberId}) as received
      from red_envelope as given
      where giver_id = ${memberId} or receiver_id = ${memberId}
        or given.id in (select envelope_id from red_envelope_share where member_id = ${memberId})
      order by given.id`,
  },
  {
    name: 'held',
    by: ['ledger.hold.owner_id'],
    rows: (memberId) => sql`select kind, source, currency, amount, state from ledger.hold where owner_id = ${memberId} order by id`,
  },
  {
    name: 'unlocked-parts',
    by: ['hidden.unlock.member_id'],
    rows: (memberId) => sql`
      select (select thread_id from hidden.outline where outline.id = part_id) as "topicId", lock as "by", paid, at, transaction_id as "transactionId"
      from hidden.unlock where member_id = ${memberId} order by unlock.id`,
  },
  {
    name: 'bounties',
    by: ['topic.author_id'],
    rows: (memberId) => sql`
      select topic_id as "questionId", state, points, cents, days, ends_at as "endsAt" from bounty join topic on topic.id = topic_id
      where author_id = ${memberId} order by topic_id`,
  },
  {
    name: 'bounties-earned',
    by: ['bounty_share.member_id'],
    rows: (memberId) => sql`
      select topic_id as "questionId", comment_id as "answerId", currency, amount, at from bounty_share where member_id = ${memberId} order by at`,
  },
  {
    name: 'accepted-answers',
    by: ['adoption.author_id'],
    rows: (memberId) => sql`
      select topic_id as "questionId", comment_id as "answerId", adopted_at as "acceptedAt" from adoption where author_id = ${memberId} order by adopted_at`,
  },
  {
    name: 'rewards',
    by: ['reward.member_id'],
    rows: (memberId) => sql`
      select post_kind as kind, post_id as "postId", rule, points, day from reward where member_id = ${memberId} and is_given order by day, post_id`,
  },
  {
    name: 'reports',
    by: ['report.reporter_id'],
    rows: (memberId) => sql`
      select kind, title, excerpt, name_zh as "categoryZh", name_en as "categoryEn", reason, status, reported_at as "reportedAt", report.decided_at as "decidedAt",
        (select json_agg(file_id order by position) from report_picture where report_id = report.id) as pictures
      from report join report_case on report_case.id = case_id left join report_category on report_category.id = category_id
      where reporter_id = ${memberId} order by report.id`,
  },
  {
    name: 'removals',
    by: ['removal.author_id'],
    rows: (memberId) => sql`
      select kind, thing_id as "postId", title, excerpt, why, removed_at as "removedAt", appeal, appealed_at as "appealedAt", appeal_outcome as "appealOutcome", answer,
        put_back_at as "putBackAt"
      from removal where author_id = ${memberId} order by id`,
  },
  {
    name: 'feedback',
    by: ['feedback.member_id'],
    rows: (memberId) => sql`select name, contact, content, sent_at as "sentAt" from feedback where member_id = ${memberId} order by id`,
  },
]
