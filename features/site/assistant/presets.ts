import type { Protocol } from '#assistant/protocols.ts'

type Preset = { protocol: Protocol; address: string }

/** Addresses of well-known providers, and of programs that run models locally. */
export const presets = {
  aliyun: { protocol: 'openai', address: 'https://dashscope.aliyuncs.com/compatible-mode/v1' },
  volcano: { protocol: 'openai', address: 'https://ark.cn-beijing.volces.com/api/v3' },
  deepseek: { protocol: 'openai', address: 'https://api.deepseek.com/v1' },
  moonshot: { protocol: 'openai', address: 'https://api.moonshot.cn/v1' },
  openai: { protocol: 'openai', address: 'https://api.openai.com/v1' },
  anthropic: { protocol: 'anthropic', address: 'https://api.anthropic.com/v1' },
  ollama: { protocol: 'openai', address: 'http://localhost:11434/v1' },
  vllm: { protocol: 'openai', address: 'http://localhost:8000/v1' },
} as const satisfies Record<string, Preset>

export type PresetName = keyof typeof presets
