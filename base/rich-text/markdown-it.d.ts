declare module 'markdown-it/lib/rules_block/*' {
  import type StateBlock from 'markdown-it/lib/rules_block/state_block.mjs'

  export default function rule(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean
}
