// Apart from the names of the formats: every learner's page loads this, and few of them need to name one.

/** H.264 with 10 bits, or with more colours than 4:2:0: profiles High 10, High 4:2:2 and High 4:4:4. */
export const UNUSUAL_H264 = /^avc\d\.(6e|7a|f4)/i

/** Whether every usual browser shows pictures in this format. */
export function isEverybodys(codec: string): boolean {
  return /^(avc\d|vp0?[89])/.test(codec) && !UNUSUAL_H264.test(codec)
}

/** Whether this browser shows pictures in this format. One that is not known yet is tried, like what all browsers show. */
export function canShowPicture(codec: string | null): boolean {
  if (codec === null || isEverybodys(codec)) return true
  // Browsers answer for a container too; whether they show a picture does not depend on the one that it came in.
  return document.createElement('video').canPlayType(`video/mp4; codecs="${codec}"`) !== ''
}
