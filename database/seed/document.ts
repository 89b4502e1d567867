import type { Doc } from '#base/rich-text/document.ts'
import { fromMarkdown } from '#base/rich-text/markdown.ts'
import { found } from '#database/seed/found.ts'
import { topicDocument } from '#writing/contract.ts'

/** The sample's people by account, with what they are called. */
export type People = ReadonlyMap<string, { id: string; name: string }>

type Pictures = ReadonlyMap<string, { id: string; width: number; height: number }>

const picture = /^picture:(.+)$/

/** A post of the sample as a document: its Markdown read, its pictures and the members it mentions found. */
export function documentFrom(body: string, pictures: Pictures, people: People): Doc {
  const document = fromMarkdown(body, {
    picture(address) {
      const name = picture.exec(address)?.[1]
      if (name === undefined) return null
      const { id, width, height } = found(pictures, name)
      return { file: id, width, height }
    },
    mention(account) {
      const person = people.get(account)
      return person ? { id: person.id, label: person.name } : null
    },
  })
  return topicDocument.parse(document)
}
