import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ask, AnsweredNothing, MayBeIncomplete, ProviderAway } from '#assistant/contract.ts'
import { improve, summarise, translate } from '#assistant/generated-contract.ts'
import { ThoughtFilter } from '#assistant/server/thoughts.ts'
import { aProvider, streams, withModel, type Provider } from '#assistant/testing/factories.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'

function answerIn(...pieces: readonly string[]): string {
  const filter = new ThoughtFilter()
  let answer = ''
  for (const piece of [...pieces.flatMap((text) => [...filter.take(text)]), ...filter.end()]) {
    if (piece.kind === 'restart') answer = ''
    if (piece.kind === 'text') answer += piece.text
  }
  return answer
}

const withThoughts = [
  '<think>secret plan</think>Answer',
  '<think>\nsecret plan\n</think>\n\nAnswer',
  '\n<Thinking>secret plan</Thinking>Answer',
  '<thought>secret</thought><reasoning>plan</reasoning>Answer',
  '<seed:think>secret plan</seed:think>Answer',
  '<|START_THINKING|>secret plan<|END_THINKING|>Answer',
  '[THINK]secret plan[/THINK]Answer',
  '◁think▷secret plan◁/think▷Answer',
  '<|channel|>analysis<|message|>secret plan<|end|><|start|>assistant<|channel|>final<|message|>Answer',
  '<|channel|>analysis<|message|>secret<|end|><|start|>assistant<|channel|>commentary<|message|>plan<|end|><|start|>assistant<|channel|>final<|message|>Answer<|return|>',
  '<|start|>assistant<|channel|>final<|message|>Answer<|end|>',
  '<|channel>thought\nsecret plan<channel|>Answer',
  'secret plan\n</think>\n\nAnswer',
  'secret plan</think>Answer',
]

test.each(withThoughts)('of %j only the answer is left, in pieces of any size', (text) => {
  expect(answerIn(text).trim()).toBe('Answer')
  expect(answerIn(...text).trim()).toBe('Answer')
})

test.each([
  'Use `<think>` and `</think>` as marks.',
  'So `a <think>plan</think>` it is.',
  'So:\n\n```html\n<think>plan</think>\n```\n\nThat is all.',
  'a < b, and [1] and `x`, and <thin',
  ' goes on after a blank',
  'The mark “</think>” ends it.',
])('a text about thoughts is kept: %j', (text) => {
  expect(answerIn(text)).toBe(text)
  expect(answerIn(...text)).toBe(text)
})

test('a thought in the middle of a line goes, and a mark there without an end is text', () => {
  expect(answerIn('Hot <think>secret</think>water.')).toBe('Hot water.')
  expect(answerIn(...'Hot <think>secret</think>\n\nwater.')).toBe('Hot \n\nwater.')
  expect(answerIn(...'Models write <think> before they answer.')).toBe('Models write <think> before they answer.')
})

test('a thought between two lines goes, and one without an end takes the rest with it', () => {
  expect(answerIn('One.\n<think>secret</think>\nTwo.')).toBe('One.\nTwo.')
  expect(answerIn('One.\n<think>secret')).toBe('One.\n')
})

test.each(['<|im_end|>', '</s>', '<|endoftext|>', '<end_of_turn>', '<|eot_id|>', '<|END|>\n', '</s></s>', ' <|im_end|>\n\n<|endoftext|>'])(
  'the end of a turn is no part of the answer: %j',
  (end) => {
    for (const answer of ['Answer', 'Say "yes"', 'Use `tea`', '```js\nlook()\n```', '```look()``` it is'])
      for (const pieces of [[answer + end], [...(answer + end)], [answer, end]]) expect(answerIn(...pieces).trimEnd()).toBe(answer)
    expect(answerIn(`<|im_start|>assistant\nAnswer${end}`).trim()).toBe('Answer')
  },
)

test.each([
  'The token <|im_end|> ends a turn, and </s> too.',
  'It is “<|im_end|>”.',
  'Old: <s>green</s>',
  'Write `</s>`',
  'So:\n\n```\nIt is tea.<|im_end|>\n```',
  'So:\n\n````\n```\n<|im_end|>\n```\n<think>plan</think>\n````',
  '~~~\n```\n<tool_call>{}</tool_call>\n~~~',
  'Models write <tool_call> and </tool_call> around their calls.',
  'Use `<tool_call>{"name":"search"}</tool_call>`, as in:\n\n```\n<tool_call>{"name":"search"}</tool_call>\n```',
  `${'`a` '.repeat(60)}and \`<|channel>thought<channel|>\``,
])('a text about marks, or with them in code, is kept: %j', (text) => {
  expect(answerIn(text)).toBe(text)
  expect(answerIn(...text)).toBe(text)
})

const search = '{"name":"search","arguments":{"query":"oolong"}}'
const writtenCalls = [
  `<tool_call>${search}</tool_call>`,
  `<tool_call>\n${search}\n</tool_call>\n<tool_call>\n${search}\n</tool_call><|im_end|>`,
  '<tool_call>search<arg_key>query</arg_key><arg_value>oolong</arg_value></tool_call>',
  '<function=search>{"query":"oolong"}</function>',
  `[TOOL_CALLS][${search}]</s>`,
  `<|tool_call>call:search{query:oolong}<tool_call|>`,
  `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  `<|channel|>commentary to=functions.search <|constrain|>json<|message|>${search}<|call|>`,
  `<tool_call>${search}`,
]

test.each(writtenCalls)('a call that a model writes into its text is no answer: %j', (call) => {
  for (const pieces of [[call], [...call]]) {
    const filter = new ThoughtFilter()
    expect([...pieces.flatMap((text) => [...filter.take(text)]), ...filter.end()].filter(({ kind }) => kind === 'text')).toEqual([])
    expect(filter.endsInCall).toBe(true)
  }
  expect(answerIn(`Let me look. ${call}`).trim()).toBe('Let me look.')
  expect(answerIn(`Say "tea".${call}`).trim()).toBe('Say "tea".')
  expect(answerIn(`Let me look.\n${call.replace(/<.im_end.>|<.s>/, '')}`).trim()).toBe('Let me look.')
})

test('a text without marks is kept whole, however it is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom(...'<|[`~/\n abc') })), (pieces) => {
      expect(answerIn(...pieces)).toBe(pieces.join(''))
    }),
  )
})

describe('over HTTP', () => {
  let forum: Forum
  let provider: Provider
  let mei: Person

  beforeAll(async () => {
    forum = await aForum()
    provider = await aProvider(() => ({ says: [''] }))
    await withModel(forum.database, provider)
  })

  beforeEach(async () => {
    mei = await forum.member()
    provider.does(() => ({ says: ['<thi', 'nk>secret ', 'plan</th', 'ink>\n\nAn', 'swer.'] }))
  })

  test('thoughts are shown and stored nowhere: in a chat, a summary, a translation, a draft', async () => {
    const topicId = await aTopic(mei, await aTag(forum.database), { title: 'On oolong' })
    const answers = [
      () => streams(mei, ask, { prompt: 'How long?' }),
      () => streams(mei, summarise, { topicId }),
      () => streams(mei, translate, { kind: 'topic', postId: topicId, into: 'zh' }),
      () => streams(mei, improve, { text: 'A draft.' }),
    ]
    for (const answer of answers) {
      const { pieces, refused } = await answer()
      expect(refused).toBeNull()
      expect(JSON.stringify(pieces)).toContain('Answer.')
      expect(JSON.stringify(pieces)).not.toContain('secret')
    }
    const stored = await forum.database.app.selectFrom('generated_text').select('text').execute()
    expect(stored.map(({ text }) => text)).toEqual(['Answer.', 'Answer.'])
  })

  test('a template without the first mark: the text before the second is taken back', async () => {
    provider.does(() => ({ says: ['secret ', 'plan\n', '</think>\n\n', 'Answer.'] }))
    const { pieces } = await streams(mei, ask, { prompt: 'How long?' })
    expect(pieces.map(({ kind }) => kind)).toContain('restart')
    expect(pieces.at(-1)?.turn).toMatchObject({ answer: 'Answer.', state: 'finished' })
  })

  test('a call in the text alone is no answer: it is not shown, and staff see the failure', async () => {
    provider.does(() => ({ says: ['<tool_', `call>${search}</tool`, '_call>'] }))
    const { pieces } = await streams(mei, ask, { prompt: 'How long?' })
    expect(JSON.stringify(pieces)).not.toContain('oolong')
    expect(pieces.at(-1)?.turn).toMatchObject({ answer: '', failureCode: ProviderAway.code })
    const { failure } = await forum.database.app.selectFrom('assistant_model').selectAll().executeTakeFirstOrThrow()
    expect(failure).toBe('Its tool call came as text')
  })

  test('an answer that ends with a call in its text may be incomplete; one that goes on after it is whole', async () => {
    provider.does(() => ({ says: ['Let me look.', `<tool_call>${search}</tool_call>`] }))
    const first = await streams(mei, ask, { prompt: 'How long?' })
    expect(first.pieces.at(-1)?.turn).toMatchObject({ answer: 'Let me look.', failureCode: MayBeIncomplete.code })
    provider.does(() => ({ says: [`<tool_call>${search}</tool_call>`, '\n\nThree minutes.<|im_', 'end|>'] }))
    const second = await streams(mei, ask, { prompt: 'How long?' })
    expect(second.pieces.at(-1)?.turn).toMatchObject({ answer: 'Three minutes.', state: 'finished' })
  })

  test('thoughts alone are no answer', async () => {
    provider.does(() => ({ says: ['<think>secret plan'] }))
    expect((await streams(mei, ask, { prompt: 'How long?' })).pieces.at(-1)?.turn).toMatchObject({
      answer: '',
      failureCode: AnsweredNothing.code,
    })
  })
})
