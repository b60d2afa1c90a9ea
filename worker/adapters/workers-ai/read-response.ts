/** `response` is the JSON as an object, in some cases as text; newer models answer as OpenAI does. */
export function readResponse(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer
  const { choices, response } = answer as { choices?: { message?: { content?: unknown } }[] | null; response?: unknown }
  return choices?.[0]?.message?.content ?? response ?? answer
}
