import { expect, test } from 'vitest'
import { renderToString } from 'react-dom/server'
import { aiLabels } from '#ai-label/contract.ts'
import { AiMark } from '#ai-label/web/ai-label.tsx'
import { WordsProvider } from '#base/web/words.tsx'
import en from '#ai-label/words/en.json' with { type: 'json' }
import zh from '#ai-label/words/zh.json' with { type: 'json' }

test.each(aiLabels)('a post that the %s labelled says so in both languages', (label) => {
  for (const [language, aiLabel] of [
    ['en', en],
    ['zh', zh],
  ] as const) {
    const drawn = renderToString(
      <WordsProvider language={language} messages={{ aiLabel }}>
        <AiMark label={label} />
      </WordsProvider>,
    )
    expect(drawn).toContain(`data-ai-generated="${label}"`)
  }
})
