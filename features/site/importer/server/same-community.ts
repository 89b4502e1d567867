import { sql } from 'kysely'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Reader, SourceMember } from '#importer/server/source.ts'
import * as user from '#user/server/user.ts'

const comparedMembers = 200

type Compared = {
  title: string
  /** Members of these ids who came. */ known: number
  /** Those whose names are among those that came. */ same: number
}

/** Refuses a second community of a program: its ids would be taken for those of the first. Some members may have other names since. */
export async function assertSameCommunity(db: Db, reader: Reader): Promise<void> {
  const members = await firstMembers(reader)
  const { rows } = await sql<Compared>`
    select title, count(*)::int as known, count(named.old_id)::int as same
    from import cross join unnest(${members.map(({ id }) => id)}::text[],
        ${members.map(({ name, nickname }) => user.nameKey(nickname ?? name))}::text[]) as source (id, name)
      join import_row as its on its.import_id = import.id and its.kind = 'member' and its.old_id = source.id
      left join import_row as named on named.import_id = import.id and named.kind = 'name' and named.old_id = source.name
    where program = ${reader.program} and undone_at is null group by title`.execute(db)
  const [found] = rows
  if (found && found.same * 2 < found.known)
    throw new CannotStart(
      `This is another community than ${found.title}, which moved in before. A forum takes in one community of each program.`,
    )
}

async function firstMembers(reader: Reader): Promise<SourceMember[]> {
  const { members: upto = '' } = await reader.marks()
  for await (const { rows } of reader.rows.members({ after: null, since: null, upto })) return rows.slice(0, comparedMembers)
  return []
}
