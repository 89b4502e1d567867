import type pg from 'pg'
import { defaultRights, globalRights, moderationRights, tagRights } from '#role/all-rights.ts'

/** The declared rights of members, by what is done when a database gets them. */
export type DeclaredRights = {
  all: readonly string[]
  /** Those that the default role gets. */
  byDefault: readonly string[]
  /** Those that come with posting in a tag. */
  forPosting: readonly string[]
}

export const declaredRights: DeclaredRights = {
  all: [...tagRights, ...globalRights],
  byDefault: defaultRights,
  forPosting: tagRights.filter((right) => !moderationRights.includes(right)),
}

/**
 * Gives each right that this database has not known to the default role, if its feature says so, and in each tag to the roles that may post
 * there. It happens once, so that a right that staff take away stays away.
 */
export async function giveNewRights(client: pg.ClientBase, { all, byDefault, forPosting } = declaredRights): Promise<void> {
  await client.query(
    `with added as (insert into known_right (name) select unnest($1::text[]) on conflict do nothing returning name)
    insert into role_right (role_id, right_name, tag_id)
      select role.id, added.name, null::bigint from added cross join role where is_default and added.name = any($2)
      union select role_id, added.name, tag_id from added cross join role_right
        where tag_id is not null and right_name in ('topic.publish', 'question.ask') and added.name = any($2) and added.name = any($3)
      on conflict do nothing`,
    [all, byDefault, forPosting],
  )
}
