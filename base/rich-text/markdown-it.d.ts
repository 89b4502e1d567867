declare module 'markdown-it/lib/rules_block/*' {
  import type StateBlock from 'markdown-it/lib/rules_block/state_block.mjs'

  export default function rule(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean
}

declare module 'markdown-it/lib/rules_inline/*' {
  import type StateInline from 'markdown-it/lib/rules_inline/state_inline.mjs'

  export default function rule(state: StateInline, isSilent: boolean): boolean
}
