"""AVE5xx judged files and input of `build`, AVE7xx campaign files, AVE9xx scores."""

from __future__ import annotations

from ave_score.rules.rule import ERROR, WARNING, Rule

HEADER_UNUSABLE = Rule(
    "AVE501",
    "header-unusable",
    ERROR,
    "{problem}{hint}; expected columns separated by tabs, commas or semicolons{least}",
    "Name the columns in the first line, or map their names: --columns q_id=id. "
    "docs/reference/formats.md has the columns of every kind of file.",
)
ROW_WIDTH = Rule(
    "AVE502",
    "row-width",
    ERROR,
    "found {found}, expected {expected} as in the header",
    "Separate fields as in the header; in CSV, quote texts that contain the separator.",
)
UNKNOWN_JUDGEMENT = Rule(
    "AVE503",
    "unknown-judgement",
    ERROR,
    "found {found!r}, expected one of {expected} among the letters of {letters}{hint}",
    "Correct the letter, or choose those that these are with --letters.",
)
ANSWERED_UNKNOWN = Rule(
    "AVE504",
    "answered-unknown",
    ERROR,
    "{field} is {found!r}, expected YES or NO",
    "Write YES or NO; in a table the field may be empty.",
)
FIELD_EMPTY = Rule(
    "AVE505",
    "field-empty",
    ERROR,
    "the field {field} is empty",
    "Fill in the field, or delete the row if it is empty.",
)
SECOND_ANSWER = Rule(
    "AVE506",
    "second-answer",
    WARNING,
    "run {run!r} answers question {q_id!r} again{again}; its first answer, at line {first}, counts",
    "A QA system is ranked by the first answer that it returns. If questions were asked several "
    "times, tell their answers apart in a column replicate.",
)
RIGHT_BUT_UNANSWERABLE = Rule(
    "AVE507",
    "right-but-unanswerable",
    WARNING,
    "run {run!r} is judged right on question {q_id!r}, which has no VALIDATED answer in the "
    "collection; counted as right",
    "Compare both files: the answer may have been removed when the collection was built.",
)
QUESTION_UNANSWERED = Rule(
    "AVE508",
    "question-without-row",
    WARNING,
    "run {run!r} has no row for question {q_id!r}; counted as answered wrongly",
    "Write a row with answered NO if a system left a question unanswered, or score with --missing "
    "rejected.",
)
OUTSIDE_COLLECTION = Rule(
    "AVE509",
    "outside-collection",
    WARNING,
    "question {q_id!r} is not in the collection; its rows are skipped",
    "Nothing to do if the collection has fewer questions than the QA task.",
)
UNKNOWN_COLUMN = Rule(
    "AVE510",
    "unknown-column",
    WARNING,
    "unknown column {found!r}, ignored{hint}",
    "Nothing to do unless it is a misspelt column. docs/reference/formats.md has the columns of "
    "every kind of file.",
)
TWO_TEAMS = Rule(
    "AVE511",
    "two-teams",
    ERROR,
    "run {name!r} belongs to {found!r} here but to {first!r} earlier",
    "Name one team per run.",
)
JUDGED_UNKNOWN_ANSWER = Rule(
    "AVE512",
    "judged-unknown-answer",
    WARNING,
    "run {run!r} gives answer {a_id!r} to question {q_id!r}, which has no answer with this id",
    "Compare both files; the judgement still counts.",
)
JUDGEMENT_CONTRADICTED = Rule(
    "AVE513",
    "judgement-contradicted",
    WARNING,
    "run {run!r}: answer {a_id!r} of question {q_id!r} is judged {found} but labelled "
    "{expected} in the collection; the judgement counts",
    "Compare both files: they should come from the same assessments.",
)
LETTER_CONTRADICTED = Rule(
    "AVE514",
    "letter-contradicted",
    ERROR,
    "judged {found} and answered {answered}: in the letters of {letters} it means {means}",
    "Choose the letters that were used, e.g. --letters respubliqa, or correct the row.",
)
QUOTE_UNUSABLE = Rule(
    "AVE515",
    "quote-unusable",
    ERROR,
    "the quoted field {problem}",
    'Write "..." around the whole field, and each quote in it twice.',
)
ROW_EXCLUDED = Rule(
    "AVE516",
    "row-excluded",
    WARNING,
    "run {run!r} has no row for question {q_id!r}; left out of the scores of this run",
    "Nothing to do: --missing excluded asks for this.",
)
ROW_AS_UNANSWERED = Rule(
    "AVE517",
    "row-as-unanswered",
    WARNING,
    "run {run!r} has no row for question {q_id!r}; read as unanswered",
    "Nothing to do: --missing rejected asks for this.",
)
QUESTION_REPEATED = Rule(
    "AVE520",
    "question-repeated",
    ERROR,
    "duplicate question {q_id!r}, first at line {first}",
    "Give every question its own id.",
)
HYPOTHESIS_SLOT = Rule(
    "AVE521",
    "hypothesis-slot",
    ERROR,
    "the hypothesis {problem}",
    "Write {answer} where the answer belongs, and no other braces.",
)
OUTSIDE_QUESTIONS = Rule(
    "AVE522",
    "outside-questions",
    WARNING,
    "question {q_id!r} is not in the questions table; its rows are skipped",
    "Nothing to do if the collection is meant to have only some of the questions.",
)
JUDGEMENTS_DIFFER = Rule(
    "AVE523",
    "judgements-differ",
    WARNING,
    "answer {found!r} of question {q_id!r} is judged {letter} here and {other} {before}; "
    "labelled UNKNOWN",
    "Have the assessors check both rows.",
)
DOCUMENT_UNUSABLE = Rule(
    "AVE524",
    "document-unusable",
    ERROR,
    "document {found!r} is not a valid file name in the folder of documents",
    "Name a document by its id, without folders.",
)
DOCUMENT_MISSING = Rule(
    "AVE525",
    "document-missing",
    WARNING,
    "document {found!r} is not in the folder of documents; its answers are skipped",
    "Find the document, or ignore the warning: an answer without a text cannot be validated.",
)
NOT_TOML = Rule(
    "AVE701",
    "not-toml",
    ERROR,
    "not TOML: {problem}",
    "Quote strings and put table names in brackets; ave-score campaign init writes a template.",
)
UNKNOWN_SETTING = Rule(
    "AVE702",
    "unknown-setting",
    ERROR,
    "{where} has no setting {name!r}{hint}",
    "ave-score campaign init writes a template that explains every setting.",
)
SETTING_UNUSABLE = Rule(
    "AVE703",
    "setting-unusable",
    ERROR,
    "{name} of {where} is {found!r}, expected {expected}",
    "ave-score campaign init writes a template that explains every setting.",
)
SETTING_MISSING = Rule(
    "AVE704",
    "setting-missing",
    ERROR,
    "{where} has no {name}",
    "A campaign needs an edition, an edition a language (or task, ...), and that a collection.",
)
NO_RUNS = Rule(
    "AVE705",
    "no-runs",
    WARNING,
    "{where} names no runs",
    "Name the folder of the submitted runs; nothing to do if nobody took part.",
)
RUNS_OF_ONE_NAME = Rule(
    "AVE706",
    "runs-of-one-name",
    WARNING,
    "{where}: {found} share the name {name!r} and are not scored",
    'Rename the files, or name them here: names = {{ "folder/file" = "name" }}.',
)
FILE_UNUSABLE = Rule(
    "AVE707",
    "file-unusable",
    WARNING,
    "{where}: {name} {found}; {consequence}",
    "Paths are relative to the campaign file.",
)
NAME_OF_NOTHING = Rule(
    "AVE708",
    "name-of-nothing",
    ERROR,
    "{where}: {name} refers to {found!r}, which is not a run{hint}",
    "Write the path of the file or the end of it, with or without its suffix; in teams, the name "
    "of the run.",
)
TIME_UNUSABLE = Rule(
    "AVE709",
    "time-unusable",
    ERROR,
    "the time of {name!r} is {found!r}, expected {expected}",
    "Write the time of each submission once, with Z for UTC or an offset such as +02:00.",
)
BUNDLE_REFUSED = Rule(
    "AVE711",
    "bundle-refused",
    ERROR,
    "{where}: found {found!r}, expected {expected}",
    "Correct the campaign file, or give --wheels.",
)
BUNDLE_FILE = Rule(
    "AVE712",
    "bundle-file",
    ERROR,
    "{where}: {name!r} is {found}",
    "Name a picture or a text, not empty, in the campaign file.",
)
BUNDLE_DEFAULT = Rule(
    "AVE713",
    "bundle-default",
    WARNING,
    "the campaign file does not have {found}: the bundle has what any bundle has",
    "Set them in the campaign file.",
)
NOT_AN_OBJECT = Rule(
    "AVE901",
    "not-an-object",
    ERROR,
    "the line is not a JSON object: {problem}",
    "Write one complete JSON object per line.",
)
KEY_MISSING = Rule(
    "AVE902",
    "key-missing",
    ERROR,
    "no key {key!r} {where}{hint}",
    "Name the keys of the file, e.g. --columns q_id=problem,score=reward.",
)
KEY_REPEATED = Rule(
    "AVE903",
    "key-repeated",
    ERROR,
    "the object has {field} twice, as {first!r} and as {again!r}",
    "Keep the intended key.",
)
SCORE_NOT_A_NUMBER = Rule(
    "AVE904",
    "score-not-a-number",
    ERROR,
    "score is {found}, expected a number such as 0.75",
    "Write the score as a number with a decimal point, in JSON without quotes.",
)
SCORE_NOT_FINITE = Rule(
    "AVE905",
    "score-not-finite",
    ERROR,
    "score is {found}, expected a finite number",
    "NaN and infinity cannot be ranked. Write the verifier's actual score.",
)
VALUE_UNUSABLE = Rule(
    "AVE906",
    "value-unusable",
    ERROR,
    "{field} is {found}, expected {expected}",
    "Ids are strings or whole numbers, texts are strings or numbers; null means no text.",
)
CORRECT_UNKNOWN = Rule(
    "AVE907",
    "correct-unknown",
    ERROR,
    "correct is {found}, expected {expected}",
    "Write whether the answer is correct, or omit the value if that is unknown.",
)
IDS_MIXED = Rule(
    "AVE908",
    "ids-mixed",
    ERROR,
    "the answer {found} id, unlike the one at line {first}",
    "Give all answers an id, or none.",
)
QUESTION_TEXTS_DIFFER = Rule(
    "AVE909",
    "question-texts-differ",
    WARNING,
    "question {q_id!r} has another text at line {first}; a collection gets that text",
    "Nothing to do if the texts are equivalent prompts; otherwise check the ids.",
)
LOG_UNUSABLE = Rule(
    "AVE910",
    "log-unusable",
    ERROR,
    "{where} is {found}, expected {expected}",
    "Correct the log, or write the scores as JSON Lines; docs/reference/scores.md shows both.",
)
ANSWER_UNSCORED = Rule(
    "AVE911",
    "answer-unscored",
    ERROR,
    "the answer has no scores{failed}",
    "Run it again (`inspect eval-retry LOG`), score it (`inspect score LOG`), or leave out its "
    "question.",
)
PARTLY_CORRECT = Rule(
    "AVE912",
    "partly-correct",
    WARNING,
    "{where} is P, partly correct: the answer gets the label UNKNOWN",
    "Nothing to do if these answers should count as neither correct nor incorrect.",
)
LOG_UNFINISHED = Rule(
    "AVE913",
    "log-unfinished",
    WARNING,
    "the status of the evaluation is {found}: answers may be missing",
    "Finish the evaluation (`inspect eval-retry LOG`), or expect fewer answers.",
)
TARGET_CONTRADICTED = Rule(
    "AVE914",
    "target-contradicted",
    ERROR,
    "{metric} is {found}, but by target {target!r} the best choice is {expected}",
    "Write the choices as JSON Lines with q_id, score and correct.",
)
ANSWERS_FAILED = Rule(
    "AVE915",
    "answers-failed",
    WARNING,
    "{numbers} failed, were invalidated or are not in the log ({ids}); the other answers to these "
    "questions count",
    "Finish the evaluation (`inspect eval-retry LOG`), or expect fewer answers.",
)
QUESTIONS_LACKING = Rule(
    "AVE916",
    "questions-lacking",
    ERROR,
    "{numbers} have no judged answer ({ids})",
    "Finish the evaluation (`inspect eval-retry LOG`), or choose what they count as: withheld with "
    "--missing rejected; with --missing excluded they are left out.",
)
LOG_UNCLEAR = Rule(
    "AVE917",
    "log-unclear",
    ERROR,
    "ave-score score refuses it: {problem}{remedy}",
    "Correct the log, or choose with --log KEY=VALUE, the same in every command; --kind scores "
    "checks what `ave-score decide` ranks.",
)
