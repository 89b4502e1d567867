import { sql } from 'kysely'
import type { Check } from '#wallet/server/wallet.ts'

/** Authors have the points that their published posts earn, and none for anything else. */
export const bookChecks: readonly Check[] = [
  {
    name: 'what is on the page has its reward, and nothing else has',
    over: 'member',
    isFullOnly: true,
    breaches: (among) => sql`
      select coalesce(post.kind, reward.post_kind) || ' ' || coalesce(post.id, reward.post_id) as what
      from (
        select 'topic' as kind, id, author_id from topic where status = 'published' and ${among('author_id')}
        union all select 'comment', id, author_id from comment where status = 'published' and ${among('author_id')}
        union all select 'reply', id, author_id from reply where status = 'published' and ${among('author_id')}
      ) as post
      full join (select * from reward where not is_adoption and is_due and ${among('member_id')}) as reward
        on post_kind = post.kind and post_id = post.id and member_id = author_id
      where post.id is null or reward.post_id is null`,
  },
  {
    // Adoptions from before the ledger existed have no reward.
    name: 'what solves a question has its reward, and nothing else has',
    over: 'member',
    isFullOnly: true,
    breaches: (among) => sql`
      select 'comment ' || coalesce(comment_id, post_id) as what
      from (select * from adoption where ${among('author_id')}) as its
      full join (select * from reward where is_adoption and ${among('member_id')}) as reward on post_id = comment_id and member_id = author_id
      where (comment_id is not null) <> coalesce(is_due, comment_id is not null)`,
  },
]
