import type { ModelMessage } from 'ai'
import type { LeftOut } from '#assistant/contract.ts'
import { tokensIn } from '#assistant/server/usage.ts'

const cutNote = '[The rest is longer than the model’s window.]'
const leftOutNote: ModelMessage = { role: 'user', content: '[Earlier turns are left out: they are longer than the model’s window.]' }

/**
 * The part of a conversation that fits the model: the question and the newest turns in full, tool results as far as there is room. Reports
 * parts left out to the model and to `leave`.
 */
export function fitToWindow(messages: readonly ModelMessage[], room: number, onLeftOut: (what: LeftOut) => void): ModelMessage[] {
  const question = messages.findLastIndex(({ role }) => role === 'user')
  let free = room - tokensOf(messages.slice(0, question + 1).slice(-1))
  // A call belongs to its results, and is short.
  for (const message of messages.slice(question + 1)) if (message.role === 'assistant') free -= tokensOf([message])
  const included: ModelMessage[] = []
  for (const [place, message] of [...messages.entries()].toReversed()) {
    if (place === question || (place > question && message.role === 'assistant')) {
      included.unshift(message)
      continue
    }
    const fits = message.role === 'tool' ? shortened(message, free) : message
    free -= tokensOf([fits])
    if (fits !== message) onLeftOut('thread')
    if (free < 0 && place < question) {
      onLeftOut('turns')
      return [leftOutNote, ...included]
    }
    included.unshift(fits)
  }
  return included
}

function tokensOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, { content }) => sum + tokensIn(typeof content === 'string' ? content : JSON.stringify(content)), 0)
}

type Results = Extract<ModelMessage, { role: 'tool' }>

/** The results of a step, each cut to its share of the room. */
function shortened(message: Results, free: number): Results {
  if (tokensOf([message]) <= free) return message
  const share = Math.max(0, Math.floor(free / message.content.length))
  return {
    ...message,
    content: message.content.map((part) => {
      if (part.type !== 'tool-result') return part
      const { output } = part
      const text = 'value' in output && typeof output.value === 'string' ? output.value : JSON.stringify(output)
      return { ...part, output: { type: 'text', value: `${truncated(text, share)} ${cutNote}` } }
    }),
  }
}

/** The beginning of a text, up to about so many tokens. */
function truncated(text: string, tokens: number): string {
  const [all, most] = [tokensIn(text), tokens - tokensIn(cutNote)]
  return all <= most ? text : text.slice(0, Math.max(0, Math.floor((text.length * most) / all)))
}
