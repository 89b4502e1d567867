import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CannotStart } from '#base/server/cannot-start.ts'

const names = ['objects.bson', 'objects.bson.gz']

/** The file with NodeBB's only collection in what `mongodump` wrote: a folder with one folder for each database, one of these, or a file. */
export function objectsFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw new CannotStart(`There is nothing at ${path}. Give the folder that mongodump wrote.`)
  if (found.isFile()) return bsonFile(path)
  const [file, second] = objectsIn(path)
  if (second)
    throw new CannotStart(`The dump in ${path} has more than one database with objects.bson. Give the folder of the one that NodeBB uses.`)
  if (file === undefined)
    throw new CannotStart(
      `There is no objects.bson in ${path}. Give the folder that mongodump wrote; NodeBB has the name of its database in config.json.`,
    )
  return file
}

function bsonFile(path: string): string {
  if (/\.bson(?:\.gz)?$/.test(path)) return path
  throw new CannotStart(`${basename(path)} is no .bson file. Run mongodump without --archive and give the folder that it writes.`)
}

function objectsIn(folder: string): string[] {
  const here = filesIn(folder)
  if (here.length > 0) return here
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : []))
}

function filesIn(folder: string): string[] {
  const present = readdirSync(folder)
  return names.filter((name) => present.includes(name)).map((name) => join(folder, name))
}
