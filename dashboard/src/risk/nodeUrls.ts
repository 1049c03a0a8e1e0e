const agent = `${location.origin}/api/v1/agent`;

/** What a grade costs is asked at this URL, and the grade is bought from it. */
export function gradeUrl(nodeId: string): string {
  return `${agent}/node/${encodeURIComponent(nodeId)}`;
}

export function dependenciesUrl(nodeId: string): string {
  return `${agent}/dependencies?nodeId=${encodeURIComponent(nodeId)}`;
}
