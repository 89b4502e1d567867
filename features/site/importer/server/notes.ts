import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'

const maxSamples = 5

export type Notes = {
  add(note: string, sample: string): void
  /** What is noted so far belongs to the page, whichever attempt of its transaction commits. */
  keep(): void
  rewind(): void
  save(tx: Db, importId: string): Promise<void>
}

type Noted = Map<string, { count: number; samples: string[] }>

/** Collects what had no place, with some samples of each, to be saved with the page of rows that it is about. */
export function notesOf(): Notes {
  let noted: Noted = new Map()
  let kept: Noted = new Map()
  return {
    add(note, sample) {
      const its = noted.get(note) ?? { count: 0, samples: [] }
      its.count += 1
      if (its.samples.length < maxSamples) its.samples.push([...sample.toWellFormed().replaceAll('\0', '')].slice(0, 100).join(''))
      noted.set(note, its)
    },
    keep() {
      kept = copyOf(noted)
    },
    rewind() {
      noted = copyOf(kept)
    },
    async save(tx, importId) {
      for (const [note, { count, samples }] of noted)
        await sql`insert into import_note as its (import_id, note, count, samples) values (${importId}, ${note}, ${count}, ${samples}::text[])
          on conflict (import_id, note) do update set count = its.count + excluded.count,
            samples = (its.samples || excluded.samples)[1:${maxSamples}]`.execute(tx)
    },
  }
}

/** A note without a word that somebody wrote: a tag that no program knows may be part of a text which not everybody reads. */
export function withoutWords(note: string): string {
  return note.startsWith('unknown: ') ? 'unknown tag' : note
}

function copyOf(noted: Noted): Noted {
  return new Map([...noted].map(([note, { count, samples }]) => [note, { count, samples: [...samples] }]))
}
