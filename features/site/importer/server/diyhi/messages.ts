import { piecesFromHtml } from '#importer/server/body/html.ts'
import { documentOf } from '#importer/server/body/pieces.ts'
import type { Page, Range, SourceMessage } from '#importer/server/source.ts'
import { idsBetween, pagesInTurn, rowsBy } from '#importer/server/tables/pages.ts'
import { id, integer, text, type Row } from '#importer/server/tables/source-tables.ts'
import { shardReads, shardsOf, type Diyhi } from '#importer/server/diyhi/source.ts'

const columns = ['id', 'userId', 'friendUserId', 'senderUserId', 'receiverUserId', 'messageContent', 'status', 'sendTimeFormat']
const keys = [{ column: 'id', kind: 'text' as const }]
const perPage = 200

/**
 * Private messages. Each stands twice, as the copy of its sender and that of its receiver, in the table of each: it comes with the receiver's,
 * or with the sender's where that one is gone for good. A copy of status 100 and more is deleted.
 */
export async function* messages(diyhi: Diyhi, { after, since, upto }: Range): AsyncGenerator<Page<SourceMessage>> {
  const where = idsBetween('sendTimeFormat', since, upto || '0')
  const reads = shardReads('privatemessage', columns, perPage).map((read) => ({ ...read, where }))
  yield* pagesInTurn(diyhi.tables, reads, after, async (rows) => {
    const other = await otherCopies(diyhi, rows)
    const people = rows.flatMap((row) => [id(row, 'senderUserId'), id(row, 'receiverUserId')])
    const users = await rowsBy(diyhi.tables, { table: 'user', columns: ['userName'], column: 'id' }, people)
    const nameOf = (userId: string) => {
      const [user] = users.get(userId) ?? []
      return user ? text(user, 'userName', diyhi.decode) : ''
    }
    return rows.flatMap((row) => messageOf(diyhi, row, other(row), nameOf))
  })
}

async function otherCopies({ tables }: Diyhi, rows: readonly Row[]): Promise<(row: Row) => Row | undefined> {
  const owners = { column: 'userId', is: 'in', values: [...new Set(rows.map((row) => id(row, 'friendUserId')))] } as const
  const times = { column: 'sendTimeFormat', is: 'in', values: [...new Set(rows.map((row) => id(row, 'sendTimeFormat')))] } as const
  const present = await tables.tables()
  const copies = new Map<string, Row>()
  for (const table of shardsOf('privatemessage'))
    if (present.includes(table))
      // At most as many as members and times pair, of which few exist.
      for (const copy of await tables.page(table, { columns, keys, after: null, where: [owners, times], limit: perPage * perPage }))
        copies.set(copyKey(copy, 'userId'), copy)
  return (row) => copies.get(copyKey(row, 'friendUserId'))
}

function copyKey(row: Row, owner: 'userId' | 'friendUserId'): string {
  return [owner, 'senderUserId', 'receiverUserId', 'sendTimeFormat'].map((column) => id(row, column)).join(' ')
}

function messageOf({ decode }: Diyhi, row: Row, other: Row | undefined, nameOf: (userId: string) => string): SourceMessage[] {
  const isSenders = id(row, 'userId') === id(row, 'senderUserId')
  if (isSenders && other) return []
  const [sender, receiver] = [nameOf(id(row, 'senderUserId')), nameOf(id(row, 'receiverUserId'))]
  const [ofSender, ofReceiver] = isSenders ? [row, other] : [other, row]
  const goneFor = [...(isDeleted(ofSender) ? [sender] : []), ...(isDeleted(ofReceiver) ? [receiver] : [])]
  if (goneFor.length === 2 || sender === '' || receiver === '') return []
  return [
    {
      id: text(row, 'id', decode),
      authorId: sender,
      readerIds: [receiver],
      title: '',
      body: bodyOf(text(row, 'messageContent', decode)),
      sentAt: new Date(integer(row, 'sendTimeFormat')),
      isRead: ofReceiver === undefined || integer(ofReceiver, 'status') % 100 === 20,
      goneFor,
    },
  ]
}

function isDeleted(copy: Row | undefined): boolean {
  return copy === undefined || integer(copy, 'status') >= 100
}

/** Text that was escaped, with links; its lines are as they were typed. */
function bodyOf(content: string): SourceMessage['body'] {
  const { pieces, notes } = piecesFromHtml(content.replaceAll(/\r\n|\r|\n/g, '<br>'))
  return { document: documentOf(pieces), notes }
}
