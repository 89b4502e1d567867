import { unzip } from '#base/server/unzip.ts'

/** What lies in a ZIP archive, by its names. */
export async function unzipped(archive: Buffer): Promise<Map<string, Buffer>> {
  return new Map((await unzip(archive, 100_000_000)).map(({ name, bytes }) => [name.toString(), bytes]))
}
