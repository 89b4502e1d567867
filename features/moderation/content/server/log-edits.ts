import { sql } from 'kysely'
import type { EditView } from '#audit/contract.ts'
import type { LoggedEdit } from '#audit/server/audit.ts'
import { passageBetween } from '#content/server/passage.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Db } from '#base/server/database/database.ts'
import { kinds, tables, type Kind } from '#kind/contract.ts'

/**
 * The changes made by edits of posts, by id of the audit entry. They are read from versions and are not in the log, which is
 * permanent, so that they disappear when versions are withheld or purged.
 */
export async function editChanges(db: Db, actions: readonly LoggedEdit[]): Promise<Map<string, EditView>> {
  const found = await Promise.all(kinds.map((kind) => editsOfKind(db, kind, actions)))
  return new Map(found.flat())
}

async function editsOfKind(db: Db, kind: Kind, actions: readonly LoggedEdit[]): Promise<[string, EditView][]> {
  const edits = actions.flatMap(({ id, action, before }) => {
    const revision = action === `${kind}.edit` ? revisionIn(before) : null
    return revision ? { id, revision } : []
  })
  if (edits.length === 0) return []
  const changes = await readChanges(
    db,
    kind,
    edits.map(({ revision }) => revision),
  )
  return edits.map(({ id, revision }) => [id, viewOf(changes.get(revision))])
}

function revisionIn(before: unknown): string | null {
  const revision = typeof before === 'object' && before !== null && 'revision' in before ? before.revision : null
  return typeof revision === 'string' ? revision : null
}

type EditChange = { id: string; is_withheld: boolean; title: string; next_title: string; body: Doc; next_body: Doc }

async function readChanges(db: Db, kind: Kind, ids: readonly string[]): Promise<Map<string, EditChange>> {
  const [table, post] = [sql.table(tables[kind].revisions), sql.ref(`${kind}_id`)]
  const [title, nextTitle] = kind === 'topic' ? [sql`was.title`, sql`coalesce(next.title, post.title)`] : [sql`''`, sql`''`]
  const { rows } = await sql<EditChange>`
    select was.id, was.is_withheld or coalesce(next.is_withheld, false) as is_withheld,
      ${title} as title, ${nextTitle} as next_title, was.body, coalesce(next.body, post.body) as next_body
    from ${table} as was
    join ${sql.table(kind)} as post on post.id = was.${post}
    left join lateral (select * from ${table} as later where later.${post} = was.${post} and later.id > was.id order by id limit 1) as next on true
    where was.id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

function viewOf(change: EditChange | undefined): EditView {
  if (!change || change.is_withheld) return { isWithheld: change !== undefined, isPurged: !change, title: null, text: null }
  const { title, next_title, body, next_body } = change
  return {
    isWithheld: false,
    isPurged: false,
    title: passageBetween(title, next_title),
    text: passageBetween(toText(body), toText(next_body)),
  }
}
