import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { documentsIn } from '#importer/server/nodebb/bson-file.ts'
import { objectsFile } from '#importer/server/nodebb/dump-folder.ts'
import { fieldsOf, textOf, type Fields, type KeyStore, type Scored } from '#importer/server/nodebb/store.ts'

/**
 * Opens what `mongodump` wrote of a NodeBB: the folder, or its file `objects.bson`, also zipped. It is read once into a temporary database,
 * because the keys stand in it in no order.
 */
export async function openMongoDump(path: string): Promise<KeyStore> {
  const file = objectsFile(path)
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-nodebb-'))
  const database = new DatabaseSync(join(folder, 'keys.sqlite'))
  function close() {
    database.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await load(database, documentsIn(file))
    return storeOver(database, close)
  } catch (error) {
    close()
    throw error
  }
}

const tables = `
  pragma journal_mode = off; pragma synchronous = off;
  create table hash (key text, data text);
  create table sorted (key text, member text, score real);
  create table member (key text, member text);
  create table string (key text, data text);`

// An index over all rows at the end takes far less time than one that grows with each.
const indexes = `
  create index hash_key on hash (key);
  create index sorted_order on sorted (key, score, member);
  create index sorted_member on sorted (key, member, score);
  create index member_key on member (key, member);
  create index string_key on string (key);`

async function load(database: DatabaseSync, documents: AsyncIterable<Record<string, unknown>>): Promise<void> {
  database.exec(tables)
  const [hash, sorted, member, string] = [
    database.prepare('insert into hash values (?, ?)'),
    database.prepare('insert into sorted values (?, ?, ?)'),
    database.prepare('insert into member values (?, ?)'),
    database.prepare('insert into string values (?, ?)'),
  ]
  database.exec('begin')
  for await (const { _id, _key, expireAt, ...rest } of documents) {
    if (typeof _key !== 'string' || (expireAt instanceof Date && expireAt.getTime() <= Date.now())) continue
    const kind = kindOf(rest)
    if (kind === 'sorted') sorted.run(_key, textOf(rest['value']), Number(rest['score']))
    else if (kind === 'set') for (const one of rest['members'] as unknown[]) member.run(_key, textOf(one))
    else if (kind === 'string') string.run(_key, textOf(rest['data'] ?? rest['value']))
    else if (kind === 'hash') hash.run(_key, JSON.stringify(withDots(fieldsOf(rest))))
  }
  database.exec('commit')
  database.exec(indexes)
}

type KeyKind = 'sorted' | 'set' | 'list' | 'string' | 'hash'

/** MongoDB has no kinds of keys: NodeBB tells them by the names of the fields. */
function kindOf(fields: Record<string, unknown>): KeyKind {
  const count = Object.keys(fields).length
  if (count === 2 && 'value' in fields && 'score' in fields) return 'sorted'
  if (count === 1 && Array.isArray(fields['members'])) return 'set'
  if (count === 1 && Array.isArray(fields['array'])) return 'list'
  return count === 1 && ('data' in fields || 'value' in fields) ? 'string' : 'hash'
}

/** NodeBB writes full stops in names of fields as U+FF0E, because MongoDB would take them for a path. */
function withDots(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.replaceAll('\uff0e', '.'), value]))
}

function storeOver(database: DatabaseSync, close: () => void): KeyStore {
  const hash = database.prepare('select data from hash where key = ?')
  const first = database.prepare('select member, score from sorted where key = ? order by score, member limit ?')
  const next = database.prepare(
    'select member, score from sorted where key = ? and (score, member) > (?, ?) order by score, member limit ?',
  )
  const score = database.prepare('select score from sorted where key = ? and member = ?')
  const members = database.prepare('select member from member where key = ?')
  const count = database.prepare('select count(*) as count from sorted where key = ?')
  const string = database.prepare('select data from string where key = ?')
  const objectAt = (key: string): Fields | null => {
    const row = hash.get(key)
    return row ? JSON.parse(String(row['data'])) : null
  }
  return {
    object: async (key) => objectAt(key),
    objects: async (keys) => keys.map(objectAt),
    async sorted(key, { after, limit }) {
      const rows = after ? next.all(key, Number(after[1]), after[0], limit) : first.all(key, limit)
      return rows.map(({ member, score: value }): Scored => [String(member), String(value)])
    },
    scores: async (key, some) => some.map((member) => textOf(score.get(key, member)?.['score'])),
    members: async (key) => members.all(key).map(({ member }) => String(member)),
    count: async (key) => Number(count.get(key)?.['count']),
    text: async (key) => textOf(string.get(key)?.['data']),
    close: async () => close(),
  }
}
