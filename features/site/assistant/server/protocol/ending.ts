/** The meaning of a reason to end: 'unclear' is neither a success nor a failure. */
export type Ending = 'whole' | 'calls' | 'cut' | 'filtered' | 'failed' | 'unclear'

/** All known reasons, in lower case: of the presets, of gateways and of programs that run models. */
const reasons: Readonly<Record<Exclude<Ending, 'unclear'>, string>> = {
  whole: 'stop end_turn stop_sequence eos eos_token eosfound complete completed normal finish finished done',
  calls: 'tool_calls tool_call tool_use toolcalls tooluse function_call function_calls',
  cut: `length max_tokens max_output_tokens max_length model_length limit token_limit incomplete model_context_window_exceeded
    context_length_exceeded pause_turn repetition repetition_truncation`,
  filtered: `content_filter content_filtered content_policy content_policy_violation sensitive refusal safety image_safety recitation
    blocklist error_toxic prohibited_content spii guardrail_intervened moderation risk_control`,
  failed: `error network_error insufficient_system_resource abort aborted cancelled canceled timeout interrupted overloaded
    engine_overloaded resource_exhausted server_error internal_error system_error service_unavailable rate_limited
    user_cancel error_limit malformed_function_call malformed_tool_call malformed_tool_use malformed_model_output unexpected_tool_call load unload`,
}

const meanings = new Map(
  Object.entries(reasons).flatMap(([ending, names]) => names.split(/\s+/).map((name) => [name, ending as Ending] as const)),
)

export function endingOf(reason: string): Ending {
  return meanings.get(reason.trim().toLowerCase().replaceAll('-', '_')) ?? 'unclear'
}

/** False for what some providers write into every piece until the last. */
export function isReason(reason: string): boolean {
  return !['', 'null', 'none'].includes(reason.trim().toLowerCase())
}
