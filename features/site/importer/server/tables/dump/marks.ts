import { CannotStart } from '#base/server/cannot-start.ts'
import { half } from '#importer/server/tables/dump/half.ts'

/** What the first bytes of a dump say of the program that wrote it. */
export type DumpHead = {
  dialect: 'mysql' | 'postgres'
  isDiscuz: boolean
  /** The number of the part, in a backup of Discuz!. */
  volume: number | null
  /** What a whole dump of this program has at its end. */
  endings: readonly RegExp[]
}

/** How many bytes tell it. */
export const headBytes = 4_096

// mysqldump 10.9 and older, of MySQL 4, ends without a word.
const endings: readonly (readonly [RegExp, RegExp])[] = [
  [/^-- (MySQL|MariaDB) dump (10\.1\d|1[1-9])/m, /^-- Dump completed/m],
  [/^-- PostgreSQL database dump/m, /^-- PostgreSQL database dump complete/m],
  [/^START TRANSACTION;/m, /^COMMIT;/m],
  [/SET @OLD_CHARACTER_SET_CLIENT=/, /SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT/],
]

export function readHead(bytes: Buffer): DumpHead {
  const head = bytes.toString('latin1', 0, headBytes)
  if (head.startsWith('PGDMP'))
    throw new CannotStart('This dump is in the own format of pg_dump. Make it plain, with pg_dump --format=plain.')
  const volume = /^# Discuz! Multi-Volume Data Dump Vol\.(\d{1,6})/m.exec(head)?.[1]
  return {
    dialect: /^-- PostgreSQL database dump|^SET standard_conforming_strings/m.test(head) ? 'postgres' : 'mysql',
    isDiscuz: volume !== undefined,
    volume: volume === undefined ? null : Number(volume),
    endings: endings.filter(([beginning]) => beginning.test(head)).map(([, ending]) => ending),
  }
}

/** Refuses a dump that lacks its end. */
export function checkEnding(path: string, { endings }: DumpHead, tail: Buffer): void {
  const text = tail.toString('latin1')
  if (!endings.every((ending) => ending.test(text))) throw half(`${path} lacks the line that its program writes at the end`)
}

/** Refuses a backup of Discuz! that lacks a part. */
export function checkVolumes(heads: readonly DumpHead[]): void {
  const volumes = heads.flatMap(({ volume }) => volume ?? []).toSorted((one, other) => one - other)
  for (const [at, volume] of volumes.entries()) {
    if (volume !== at + 1) throw half(`Part ${at + 1} of the backup is missing, or there twice. Give the folder with all parts`)
  }
}
