import { unzip } from '#base/server/unzip.ts'

/** The files of a ZIP archive, by name. */
export async function unzipped(archive: Buffer): Promise<Map<string, Buffer>> {
  return new Map((await unzip(archive, 100_000_000)).map(({ name, bytes }) => [name.toString(), bytes]))
}
