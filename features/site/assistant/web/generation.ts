import { useEffect, useRef, useState } from 'react'
import type { GeneratedText, GeneratedPiece } from '#assistant/generated-contract.ts'
import { isStop, failureText } from '#assistant/web/failure.ts'
import { batchPieces } from '#assistant/web/turn.ts'
import type { Endpoint, RawInput } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { useWords } from '#base/web/words.tsx'

/** A generated text, as far as it has arrived. */
export type Generation = {
  state: 'idle' | 'running' | 'stopped' | 'failed' | 'made'
  text: string
  made: GeneratedText | null
  /** The model is busy, and is asked again in a moment. */
  isWaiting: boolean
  /** The error message. */
  wrong: string | null
}

const idle: Generation = { state: 'idle', text: '', made: null, isWaiting: false, wrong: null }

type GenerationEndpoint = Endpoint & { output: typeof GeneratedPiece }

/** Requests a text by a streamed call. A new request, or leaving the page, aborts the running one. */
export function useGeneration<E extends GenerationEndpoint>(path: E['path']) {
  const api = useApi()
  const words = useWords('assistant')
  const [making, setMaking] = useState<Generation>(idle)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function begin(input: RawInput<E>): Promise<GeneratedText | null> {
    running.current?.abort()
    const control = new AbortController()
    running.current = control
    const isCurrent = () => running.current === control
    let now: Generation = { ...idle, state: 'running' }
    const show = (next: Partial<Generation>) => {
      now = { ...now, ...next }
      if (isCurrent()) setMaking(now)
    }
    show({})
    const { tell, flush } = batchPieces<GeneratedPiece>((pieces) => show(pieces.reduce(withPiece, now)))
    try {
      await api.stream<E>(path, input, { onPiece: tell, signal: control.signal })
      flush()
    } catch (error) {
      flush()
      show(isStop(error) ? { state: 'stopped' } : { state: 'failed', wrong: failureText(error, words) })
    }
    return isCurrent() ? now.made : null
  }

  function stop(): void {
    running.current?.abort()
  }

  function forget(): void {
    stop()
    running.current = null
    setMaking(idle)
  }
  return { making, begin, stop, forget }
}

function withPiece(making: Generation, { kind, text = '', made }: GeneratedPiece): Generation {
  if (made) return { ...making, state: 'made', text: made.text, made, isWaiting: false }
  return { ...making, text: kind === 'restart' ? '' : making.text + text, isWaiting: kind === 'waiting' }
}
