import { z } from 'zod'
import { isolate } from '#base/direction.ts'
import { offer, type Asked, type Ground } from '#apps/server/syndication/kept.ts'
import * as file from '#file/server/file.ts'
import { draw } from '#file/server/picture-workers.ts'
import * as thread from '#topic/server/thread.ts'

const takes = z.object({ name: z.string().regex(/^[1-9]\d{0,17}\.png$/) })

/** `/share/42.png`: what other sites show beside a link to a topic that has no picture of its own. */
export function offerSharePictures(ground: Ground): void {
  offer(ground, '/share/:name', { takes, cacheTags: ['titles'], seconds: 3_600, isWorded: true, timesAMinute: 60, make: picture })
}

async function picture({ db, viewer, settings, language, input }: Asked<z.output<typeof takes>>) {
  const topic = await thread.show(db, viewer, input.name.slice(0, -'.png'.length))
  const tag = topic.place.name[language]
  const mark = settings.icon && ((await file.pictureBytes(db, settings.icon.file))?.bytes ?? null)
  const done = await draw({ title: topic.title, under: `${isolate(topic.author.name)} · ${isolate(tag)}`, site: settings.title, mark })
  if (typeof done === 'string') throw new Error(`The picture of topic ${topic.id} was not drawn: ${done}`)
  return { type: 'image/png', body: Buffer.from(done.bytes) }
}
