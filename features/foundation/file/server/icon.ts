import { buffer } from 'node:stream/consumers'
import { iconForms, type IconForm } from '#base/branding.ts'
import type { Db } from '#base/server/database/database.ts'
import { NotScalable } from '#file/server/rendition.ts'
import { storage } from '#file/server/storage.ts'
import { iconName, originalName } from '#file/server/storage-types.ts'
import { runTask } from '#file/server/picture-workers.ts'

/** Generates all sizes of the site icon from a stored mark, as PNG, which all programs read. */
export async function keepIcons(db: Db, id: string): Promise<void> {
  const place = await storage(db)
  const mark = await place.get(originalName(id))
  if (!mark) throw new NotScalable('gone')
  const bytes = await buffer(mark.stream)
  for (const side of iconForms) {
    const result = await runTask(bytes, { makes: 'icon', kind: 'webp', side }, 'icons')
    if (typeof result === 'string') throw new NotScalable(result)
    await place.put(iconName(id, side), result.bytes)
  }
}

export async function iconBytes(db: Db, id: string, form: IconForm): Promise<Buffer | null> {
  const place = await storage(db)
  const stored = await place.get(iconName(id, form))
  if (stored) return buffer(stored.stream)
  if (form !== 'maskable') return null
  // An icon that was stored before there was this form.
  await keepIcons(db, id)
  const made = await place.get(iconName(id, form))
  return made && buffer(made.stream)
}
