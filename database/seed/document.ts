import type { Doc } from '#base/rich-text/document.ts'
import { fromMarkdown } from '#base/rich-text/markdown.ts'
import { required } from '#database/seed/required.ts'
import { topicDocument } from '#writing/contract.ts'

/** The sample's members by account, with their names. */
export type People = ReadonlyMap<string, { id: string; name: string }>

type Pictures = ReadonlyMap<string, { id: string; width: number; height: number }>

const picture = /^picture:(.+)$/

/** A sample post as a document, with its Markdown parsed and its pictures and mentions resolved. */
export function documentFrom(body: string, pictures: Pictures, people: People): Doc {
  const document = fromMarkdown(body, {
    picture(address) {
      const name = picture.exec(address)?.[1]
      if (name === undefined) return null
      const { id, width, height } = required(pictures, name)
      return { file: id, width, height }
    },
    mention(account) {
      const person = people.get(account)
      return person ? { id: person.id, label: person.name } : null
    },
  })
  return topicDocument.parse(document)
}
