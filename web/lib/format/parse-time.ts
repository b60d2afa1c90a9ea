const TIME = /^(?:(\d{1,3}):(?=[0-5]\d:))?(\d{1,3}):([0-5]\d)$/

/** Reads `mm:ss` or `hh:mm:ss` as seconds; null for anything else. Minutes may pass the hour: `75:30`. */
export function parseTime(text: string): number | null {
  const [isTime, hours = '0', minutes, seconds] = TIME.exec(text.trim()) ?? []
  return isTime === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
