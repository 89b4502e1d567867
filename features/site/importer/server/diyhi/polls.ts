import type { Page, Range, SourcePoll, SourceVote } from '#importer/server/source.ts'
import { pagesInTurn } from '#importer/server/tables/pages.ts'
import { integer, text, type Row } from '#importer/server/tables/source-tables.ts'
import { rowsByText, timeOf, type Diyhi } from '#importer/server/diyhi/source.ts'

const ofTopic = 10

export async function pollsOf(diyhi: Diyhi, rows: readonly Row[]): Promise<(row: Row) => SourcePoll | null> {
  const idIn = (row: Row) => text(row, 'voteThemeId', diyhi.decode)
  const ids = rows.map(idIn).filter((one) => one !== '')
  const polls = await rowsByText(diyhi, { table: 'votetheme', columns: ['title', 'maxChoice', 'endDate'], column: 'id' }, ids)
  const read = { table: 'voteoption', columns: ['id', 'text'], column: 'voteThemeId', order: ['sort', 'id'] }
  const options = await rowsByText(diyhi, read, ids)
  return (row) => {
    const [poll] = polls(idIn(row))
    return poll ? pollOf(diyhi, poll, options(idIn(row))) : null
  }
}

function pollOf(diyhi: Diyhi, row: Row, options: readonly Row[]): SourcePoll {
  const most = integer(row, 'maxChoice')
  return {
    title: text(row, 'title', diyhi.decode),
    options: options.map((option) => ({ id: text(option, 'id', diyhi.decode), label: text(option, 'text', diyhi.decode) })),
    maxChoices: most > 0 ? most : Math.max(1, options.length),
    isPublic: false,
    showsResults: 'voted',
    endsAt: timeOf(diyhi, row, 'endDate'),
  }
}

/** A ballot is a row for each choice: all of a poll are read together. */
export async function* votes(diyhi: Diyhi, { after }: Range): AsyncGenerator<Page<SourceVote>> {
  const keys = [{ column: 'id', kind: 'text' as const }]
  const read = { table: 'votetheme', columns: ['module', 'sourceParameterId'], keys, perPage: 20 }
  const of = (row: Row, column: string) => text(row, column, diyhi.decode)
  yield* pagesInTurn(diyhi.tables, [read], after, async (rows) => {
    const choices = await rowsByText(
      diyhi,
      { table: 'voterecord', columns: ['userName', 'voteOptionId', 'voteTime'], column: 'voteThemeId', order: ['id'] },
      rows.map((row) => of(row, 'id')),
    )
    return rows.flatMap((row) => {
      const threadId = `${integer(row, 'module') === ofTopic ? 'topic' : 'question'}/${of(row, 'sourceParameterId')}`
      const byMember = Map.groupBy(choices(of(row, 'id')), (choice) => of(choice, 'userName'))
      return [...byMember].map(([memberId, its]): SourceVote => {
        const [first] = its
        return {
          threadId,
          memberId,
          optionIds: its.map((one) => of(one, 'voteOptionId')),
          at: first ? timeOf(diyhi, first, 'voteTime') : null,
        }
      })
    })
  })
}
