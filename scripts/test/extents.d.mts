export const LONG: boolean;
export const FULL: boolean;
export const PICK: string;
export const MAX_MINUTES: Readonly<Record<string, number>>;
export function compareDuration(name: string, seconds: number): string;
