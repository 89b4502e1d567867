import type { Doc } from '#base/rich-text/document.ts'
import type { Person } from '#base/testing/forum.ts'
import { addComment } from '#comment/contract.ts'
import { askQuestion } from '#question/contract.ts'
import { says } from '#writing/testing/factories.ts'

let questionCount = 0

/** Asks a question through the API. Returns its id. */
export async function aQuestion(
  asker: Person,
  tagId: string,
  { title, tagIds = [], body }: { title?: string; tagIds?: readonly string[]; body?: Doc } = {},
): Promise<string> {
  const number = ++questionCount
  const draft = {
    tagId,
    tagIds: [...tagIds],
    title: title ?? `Question ${number}`,
    body: body ?? says(`What is asked by question ${number}?`),
  }
  return (await asker.call(askQuestion, draft)).questionId
}

/** Posts an answer through the API. Returns its id. */
export async function anAnswer(author: Person, questionId: string, text = 'Steep it for three minutes.'): Promise<string> {
  return (await author.call(addComment, { topicId: questionId, body: says(text) })).commentId
}
